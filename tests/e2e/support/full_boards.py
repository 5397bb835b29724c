"""Full tables: eight cards each, fifteen dice a side, a fight of twelve; and a doubles game."""

from __future__ import annotations

TEAMS = """
edition: avx
basics: Distraction; Focus Power; Force Beam; Gearing Up
team A: Hulk: Anger Issues; Iron Man: Inventor; Black Widow: Natural; Captain America: American Hero; \
Hawkeye: Longbow; Nova: Quasar; Spider-Man: "Tiger"; Human Torch: "Flame On!"
team B: Thor: Legendary Warrior; Storm: African Priestess; Wolverine: Wildboy; Rogue: Anna Raven; Punisher: McRook; \
Doctor Doom: Reed Richards' Rival; Venom: Eddie Brock; Mystique: Unknown
A life: 12
B life: 9
A reserve: F, F, ?, S, Hulk:FF, Focus Power!, Distraction!
B reserve: F, M, S
A used: Black Widow, Hawkeye, Nova, Force Beam
B used: Storm, Sidekick
B prep: Mystique
A field: Hulk@1, Iron Man@2, Black Widow@3, Captain America@1, Hawkeye@2, Nova@3, Spider-Man@1, Human Torch@2, Hulk@3, \
Iron Man@1, Black Widow@2, Sidekick, Sidekick, Sidekick, Sidekick
"""
B_FIELD = [
    *("Thor@1", "Storm@2", "Wolverine@3", "Rogue@1", "Punisher@2", "Doctor Doom@3", "Venom@1"),
    *("Mystique@2", "Thor@3", "Storm@1", "Wolverine@2", "Sidekick", "Sidekick", "Sidekick", "Sidekick"),
]

MAIN = f"{TEAMS}B field: {', '.join(B_FIELD)}\nturn: 9, A, main\n"
DECLARE = MAIN.replace("A, main", "A, declare")
BLOCKS = f"{TEAMS}B field: {', '.join(f'{d} (attacking)' if n < 7 else d for n, d in enumerate(B_FIELD))}\nturn: 9, B, block\n"

# doubles: four cards each, about eight dice in every field
FOUR = """
edition: avx
basics: Distraction; Focus Power; Force Beam; Gearing Up
team A: Hulk: Anger Issues; Iron Man: Inventor; Black Widow: Natural; Captain America: American Hero
team B: Thor: Legendary Warrior; Storm: African Priestess; Wolverine: Wildboy; Rogue: Anna Raven
team C: Hawkeye: Longbow; Nova: Quasar; Spider-Man: "Tiger"; Human Torch: "Flame On!"
team D: Punisher: McRook; Doctor Doom: Reed Richards' Rival; Venom: Eddie Brock; Mystique: Unknown
A life: 22
B life: 17
A reserve: F, F, ?, S, Hulk:FF, Focus Power!
B reserve: F, M, S
C reserve: B, S, Nova:BB
D reserve: F, M
A used: Black Widow, Force Beam, Sidekick
B used: Storm, Sidekick
C used: Hawkeye, Nova, Sidekick
D prep: Mystique
A field: Hulk@1, Iron Man@2, Black Widow@3, Captain America@1, Hulk@3, Iron Man@1, Sidekick, Sidekick
C field: Hawkeye@2, Nova@3, Spider-Man@1, Human Torch@2, Nova@1, Sidekick, Sidekick
D field: Punisher@2, Doctor Doom@3, Venom@1, Mystique@2, Punisher@1, Sidekick, Sidekick
"""
FOUR_B = ["Thor@1", "Storm@2", "Wolverine@3", "Rogue@1", "Thor@3", "Storm@1", "Sidekick", "Sidekick"]
FOUR_MAIN = f"{FOUR}B field: {', '.join(FOUR_B)}\nturn: 9, A, main\n"
FOUR_BLOCKS = (
    f"{FOUR}B field: {', '.join(f'{d} (attacking)' if n < 4 else d for n, d in enumerate(FOUR_B))}\nturn: 9, B, block\n"
).replace("Punisher@2,", "Punisher@2 (attacking),")
