"""`python -m dicemasters` is the command `dicemasters`."""

import sys

from dicemasters.cli import main

sys.exit(main())
