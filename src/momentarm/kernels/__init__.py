"""The waist: programs become functions on arrays. Knows both columns; physics stays outside."""
