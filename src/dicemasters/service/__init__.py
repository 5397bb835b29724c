"""Application layer: games, drafts, puzzles and lessons for several clients, independent of the transport."""
