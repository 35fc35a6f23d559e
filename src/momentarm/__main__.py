"""`python -m momentarm` is the command `momentarm`."""

import sys

from momentarm.cli import main

if __name__ == "__main__":
    sys.exit(main())
