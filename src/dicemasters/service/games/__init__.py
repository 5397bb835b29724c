"""Games that are played or watched: rooms, sessions and what they show."""
