"""`python -m dicemasters` is the command `dicemasters`."""

import sys

from dicemasters.cli.main import main

sys.exit(main())
