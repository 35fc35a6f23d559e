"""The shelf: other formulations as the books print them, for cross-checks and teaching."""
