"""The waist: programs become functions on arrays. Physics comes in as traces."""
