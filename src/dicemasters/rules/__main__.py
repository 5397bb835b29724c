"""Update the generated parts of docs/rules.md and the fixture of its search: `python -m dicemasters.rules --write`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dicemasters.rules.generate import write_rules


def main(argv: list[str] | None = None) -> int:
    """List the files that are out of date, or write them. Return 1 if files remain out of date, 2 on an error."""
    parser = argparse.ArgumentParser(prog="python -m dicemasters.rules", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files instead of only listing them")
    args = parser.parse_args(argv)
    root = Path(__file__).parents[3]
    if not (root / "docs" / "rules.md").exists():
        print("This only works in a checkout of the project, which has docs/rules.md.", file=sys.stderr)
        return 2
    try:
        files = write_rules(root)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    stale = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if args.write:
            path.write_text(files[path], encoding="utf-8")
        print(f"{'written' if args.write else 'out of date'}: {path.relative_to(root)}")
    return 0 if args.write or not stale else 1


if __name__ == "__main__":
    sys.exit(main())
