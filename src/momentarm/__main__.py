"""The command `momentarm`, also as `python -m momentarm`."""

import sys


def main() -> int:
    """Run the command line; without its libraries, say so."""
    try:
        from momentarm import cli
    except ModuleNotFoundError as missing:
        if missing.name not in ("cyclopts", "rich"):
            raise
        sys.stderr.write(f"momentarm needs {missing.name}: pip install cyclopts rich\n")
        return 3
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
