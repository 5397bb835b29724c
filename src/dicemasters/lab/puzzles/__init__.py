"""Mining puzzles from games."""
