"""The dice and the faces printed on them."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a die: energy (symbols or generic), a character level or an action (rules 1.1a, 1.1e, 3.3a3)."""

    energy: str = ""  # energy symbols: "F", "SS", "?"; "" on generic, character and action faces
    generic: int = 0  # generic energy: 2, rarely 1
    level: int = 0  # 1 to 3 on a character face
    field: int = 0  # fielding cost of the character
    a: int = 0
    d: int = 0
    action: bool = False
    burst: int = 0  # 0, 1 or 2


@dataclass(frozen=True, slots=True)
class Die:
    """A kind of die with six faces: energy faces first, then character levels from 1 up, or action faces."""

    key: str  # unique over all sets
    name: str
    faces: tuple[Face, ...]  # always six
    color: str  # body colour, "#rrggbb"
    ink: str  # print colour

    @property
    def is_character(self) -> bool:
        """Whether the die has character faces (rules 1.1d)."""
        return self.faces[-1].level > 0

    @property
    def is_action(self) -> bool:
        """Whether the die has action faces (rules 1.1d)."""
        return self.faces[-1].action

    @property
    def levels(self) -> int:
        """The number of character faces."""
        return self.faces[-1].level


_KEY = re.compile(r"[a-z0-9_]+")
_COLOR = re.compile(r"#[0-9a-f]{6}")
_CHARACTER = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{1,2})(\*{0,2})")
_SYMBOLS = "FBMS?"  # fist, bolt, mask, shield, wild (rules 3.3a1)
_ENERGY = {shown: Face(energy=shown) for shown in (*_SYMBOLS, *(one + one for one in _SYMBOLS))}
_ENERGY |= {"1": Face(generic=1), "2": Face(generic=2)}
_ACTIONS = {"!": Face(action=True), "!*": Face(action=True, burst=1), "!**": Face(action=True, burst=2)}


def parse_die(key: str, name: str, energy: str, other_faces: str, color: str, ink: str) -> Die:
    """Return the die described by its short form, as in the table below.

    `energy` lists the energy faces: a symbol F B M S ?, alone or twice, or 1 or 2 for generic energy. `other_faces`
    lists the others: field/A/D for levels 1 to 3 of a character or ! for an action, with * or ** for bursts. Raise
    `ValueError`, naming the die and the mistake, if the description is invalid.
    """
    if not _KEY.fullmatch(key):
        raise ValueError(f"The die key {key!r} must contain only lower-case letters a to z, digits and _.")
    if not name.strip():
        raise ValueError(f"The die {key!r} has no name.")
    for value in (color, ink):
        if not _COLOR.fullmatch(value):
            raise ValueError(f"The die {key!r} has the colour {value!r}; a colour is written like #1b3970.")
    faces = [_energy_face(key, value) for value in energy.split()]
    codes = other_faces.split()
    if codes and codes[0].startswith("!"):
        faces += [_action_face(key, value) for value in codes]
    else:  # levels are counted from left to right (rules 1.4a)
        faces += [_character_face(key, value, level) for level, value in enumerate(codes, 1)]
    if len(faces) != 6:  # rules 1.1a
        raise ValueError(f"The die {key!r} has {len(faces)} faces, {energy!r} and {other_faces!r}; a die has 6.")
    if not 1 <= len(codes) <= 3:
        raise ValueError(
            f"The die {key!r} has {len(codes)} character or action faces, {other_faces!r}, instead of 1 to 3."
        )
    return Die(key, name, tuple(faces), color, ink)


def _energy_face(key: str, code: str) -> Face:
    if code not in _ENERGY:
        raise ValueError(
            f"The die {key!r} has the energy face {code!r}; valid are F B M S ?, one of them twice, 1 and 2."
        )
    return _ENERGY[code]


def _action_face(key: str, code: str) -> Face:
    if code not in _ACTIONS:
        raise ValueError(f"The die {key!r} has the action face {code!r}; valid are !, !* and !**.")
    return _ACTIONS[code]


def _character_face(key: str, code: str, level: int) -> Face:
    match = _CHARACTER.fullmatch(code)
    if not match:
        raise ValueError(
            f"The die {key!r} has the level {level} face {code!r}; valid is field/A/D such as 1/3/4 or 0/1/2*."
        )
    field, a, d, stars = match.groups()
    return Face(level=level, field=int(field), a=int(a), d=int(d), burst=len(stars))


BASIC_COLORS = (  # (color, ink) of the dice of the four basic action cards
    ("#f7e3e2", "#e01e2c"),
    ("#1f66c1", "#f1f6fd"),
    ("#f2b705", "#3a2a00"),
    ("#1d7a3c", "#eefaf1"),
)

_die = parse_die

_ALL = (
    # Every set
    _die("sidekick", "Sidekick", "F B M S ?", "0/1/1", "#e8e9eb", "#2b2f36"),  # rules 1.1b, 1.4b
    _die("basic", "Basic Action", "2 2 2", "! !* !**", "#f7e3e2", "#e01e2c"),  # rules 1.1c
    # Avengers vs. X-Men (avx)
    _die("angelavx", "Angel", "S SS SS", "0/2/2 1/3/3 1/3/4", "#93c8d5", "#edf7f9"),
    _die("beast", "Beast", "M MM MM", "0/1/2* 0/2/3 1/2/4", "#08aceb", "#1b3970"),
    _die("blackwidow", "Black Widow", "F FF FF", "0/2/1 0/2/2 1/3/3", "#060102", "#b2332e"),
    _die("captainamericaavx", "Captain America", "S SS SS", "1/3/3 2/5/4 2/5/5", "#082d5e", "#b33136"),
    _die("colossus", "Colossus", "F FF FF", "1/4/4 1/6/5* 2/8/7*", "#eef1f4", "#832934"),
    _die("cyclopsavx", "Cyclops", "B BB BB", "1/4/2 1/5/3 1/6/4", "#0f8ac6", "#d2e241"),
    _die("deadpool", "Deadpool", "F FF FF", "0/2/4 0/2/5 1/3/7", "#f00707", "#1e0706"),
    _die("doctordoom", "Doctor Doom", "S SS SS", "1/3/6 2/4/7 3/5/8", "#92ce53", "#506e31"),
    _die("doctoroctopus", "Doctor Octopus", "S SS SS", "1/4/4 2/4/8 3/8/8", "#06ad4d", "#bb9c27"),
    _die("doctorstrange", "Doctor Strange", "M MM MM", "1/4/6 2/5/8 3/8/9", "#7cccc2", "#031d1d"),
    _die("gambit", "Gambit", "M MM MM", "1/1/1* 1/2/2* 2/4/4", "#632524", "#a6355a"),
    _die("ghostrider", "Ghost Rider", "B BB BB", "1/2/3 2/3/4 3/5/5", "#3b372e", "#d6bb56"),
    _die("greengoblin", "Green Goblin", "B BB BB", "0/2/2 1/3/3 1/5/5", "#92ca55", "#434a20"),
    _die("hawkeye", "Hawkeye", "B BB BB", "0/3/1 0/4/1 1/4/2", "#a783b8", "#473a66"),
    _die("hulk", "Hulk", "F FF FF", "1/6/5* 2/7/7* 3/8/8", "#6bbf73", "#185423"),
    _die("humantorch", "Human Torch", "B BB BB", "0/2/2 1/3/3 2/4/4", "#be0603", "#eea944"),
    _die("ironmanavx", "Iron Man", "S SS SS", "1/3/5 1/4/6 2/5/7*", "#fadc57", "#7d4013"),
    _die("loki", "Loki", "M MM MM", "1/1/5 1/1/7 2/2/8", "#5cb74f", "#c9db40"),
    _die("magnetoavx", "Magneto", "M MM MM", "1/4/4 2/5/7 3/6/8", "#b11c4e", "#b7859b"),
    _die("mjolnir", "Mjolnir", "B BB BB", "! !* !**", "#c8c9c7", "#4b461c"),
    _die("mrfantastic", "Mr. Fantastic", "M MM MM", "1/1/5 2/2/6 2/2/7", "#348496", "#e4f7fa"),
    _die("mystiqueavx", "Mystique", "M MM MM", "1/1/1 0/1/1 2/1/1*", "#98cbd9", "#aa3940"),
    _die("nickfury", "Nick Fury", "S SS SS", "0/1/3 1/2/4 1/2/5", "#353535", "#b8b9b8"),
    _die("nightcrawler", "Nightcrawler", "F FF FF", "1/2/4 1/3/6 2/5/6", "#0c3e4b", "#aa3730"),
    _die("nova", "Nova", "B BB BB", "1/4/4 2/5/6 2/7/7", "#1c3759", "#818c8a"),
    _die("phoenix", "Phoenix", "B BB BB", "1/5/5 2/7/7 3/8/8", "#b72333", "#79902e"),
    _die("professorxavx", "Professor X", "M MM MM", "1/1/5 2/1/7 3/1/9", "#5f7777", "#b5cdcd"),
    _die("punisher", "Punisher", "B BB BB", "1/4/1 1/5/2 2/6/3", "#000000", "#ededed"),
    _die("rogue", "Rogue", "M MM MM", "1/2/3 2/4/5 2/5/6", "#f6fa0d", "#556204"),
    _die("silversurfer", "Silver Surfer", "S SS SS", "1/5/5 2/7/5 3/8/7", "#d7d7d7", "#6d6f6e"),
    _die("spidermanavx", "Spider-Man", "F FF FF", "0/3/3 1/4/4 1/5/5", "#e92b2e", "#190706"),
    _die("stormavx", "Storm", "M MM MM", "0/2/1 1/2/2 1/3/2", "#1a395a", "#c2d4e1"),
    _die("thing", "Thing", "F FF FF", "1/3/3 2/5/5 3/8/6", "#f7c007", "#783f0b"),
    _die("thor", "Thor", "B BB BB", "1/5/6 2/6/8 3/8/8", "#ef313e", "#5c6a90"),
    _die("venom", "Venom", "F FF FF", "1/4/4 1/5/5* 2/6/6*", "#050505", "#ededed"),
    _die("vibraniumshield", "Vibranium Shield", "S SS SS", "! !* !**", "#f2070b", "#f9dfd5"),
    _die("warmachine", "War Machine", "S SS SS", "1/3/4 1/4/5 2/5/6", "#a9a9a9", "#7e7e7e"),
    _die("wolverineavx", "Wolverine", "F FF FF", "1/5/2* 2/6/3* 3/8/4", "#f9ee28", "#7f6765"),
    # Uncanny X-Men (uxm)
    _die("angelux", "Angel", "S SS SS", "0/2/2 1/3/3 1/3/4", "#fafbf9", "#c65655"),
    _die("antman", "Ant-Man", "F FF FF", "0/2/1 0/3/1 1/5/2", "#894c5b", "#cacad2"),
    _die("apocalypse", "Apocalypse", "B BB BB", "1/3/5 2/5/6* 2/6/7*", "#9a9e77", "#2a4c62"),
    _die("bishop", "Bishop", "S SS SS", "1/2/5 1/3/6 2/5/6", "#db0405", "#420c08"),
    _die("blackpanther", "Black Panther", "F FF FF", "0/4/2 1/5/2 1/8/2", "#140f0f", "#dfc171"),
    _die("cable", "Cable", "B BB BB", "1/3/2 2/3/3 2/5/5", "#737e8a", "#d9df5b"),
    _die("captainamericaux", "Captain America", "S SS SS", "1/3/3 2/5/4 2/5/5", "#0c1834", "#e5eaf5"),
    _die("cerebro", "Cerebro", "MM MM MM", "! !* !**", "#8d9194", "#d8dcdf"),
    _die("cyclopsux", "Cyclops", "B BB BB", "1/4/2 1/5/3 1/6/4", "#190303", "#c85051"),
    _die("emmafrost", "Emma Frost", "S SS SS", "1/3/5 1/4/6 2/5/7", "#fdfdfd", "#a5b9c2"),
    _die("falcon", "Falcon", "F FF FF", "0/2/2 1/3/3 1/4/3", "#b50f34", "#f8e0e0"),
    _die("iceman", "Iceman", "B BB BB", "1/2/4 1/3/6 1/4/6", "#b2dde8", "#eafbfd"),
    _die("ironmanux", "Iron Man", "S SS SS", "1/3/5 1/4/6 2/5/7*", "#18141a", "#c69259"),
    _die("juggernaut", "Juggernaut", "S SS SS", "1/6/3 2/7/4 3/7/6", "#e97b26", "#6f0a05"),
    _die("kittypryde", "Kitty Pryde", "M MM MM", "0/2/2 0/3/2 1/3/3", "#f2f62c", "#303343"),
    _die("magik", "Magik", "M MM MM", "0/1/4 0/1/6 1/2/7", "#b02d36", "#ee845f"),
    _die("magnetoux", "Magneto", "M MM MM", "1/4/4 2/5/7 3/6/8", "#b891c2", "#742062"),
    _die("marvelgirl", "Marvel Girl", "B BB BB", "1/3/3 2/5/5 3/6/6", "#f5f630", "#313245"),
    _die("mistersinister", "Mister Sinister", "B BB BB", "1/4/1 2/5/2 2/6/3", "#191414", "#b53436"),
    _die("mystiqueux", "Mystique", "M MM MM", "1/1/1 0/1/1 2/1/1*", "#e5114a", "#4facbf"),
    _die("namor", "Namor", "S SS SS", "0/3/3 1/4/4 2/5/5", "#85cfe0", "#084758"),
    _die("professorxux", "Professor X", "M MM MM", "1/1/5 2/1/7 3/1/9", "#cca48a", "#27160e"),
    _die("psylocke", "Psylocke", "M MM MM", "0/1/2 0/2/2 1/3/3", "#494189", "#a1308f"),
    _die("pyro", "Pyro", "B BB BB", "0/3/1 1/4/2 1/5/2", "#f2aa15", "#cd390c"),
    _die("quicksilver", "Quicksilver", "B BB BB", "0/3/1 1/3/2 1/4/3", "#24ab45", "#d5fade"),
    _die("redhulk", "Red Hulk", "F FF FF", "1/6/5* 2/7/7* 3/8/8", "#e22d3f", "#76292f"),
    _die("sabertooth", "Sabretooth", "F FF FF", "1/3/3 1/4/4 2/5/4", "#e67626", "#3a0905"),
    _die("scarletwitch", "Scarlet Witch", "B BB BB", "0/1/3 0/3/3 1/5/3", "#f79aa8", "#b52035"),
    _die("sentinel", "Sentinel", "S SS SS", "1/5/5 2/6/6 3/8/8", "#b21464", "#5b3f7a"),
    _die("shehulk", "She-Hulk", "F FF FF", "1/5/4 2/6/6 3/7/7", "#62a35a", "#28382d"),
    _die("spidermanux", "Spider-Man", "F FF FF", "0/3/3 1/4/4 1/5/5", "#0b508e", "#bc1f3e"),
    _die("stormux", "Storm", "M MM MM", "0/2/1 1/2/2 1/3/2", "#342e33", "#bfa16a"),
    _die("toad", "Toad", "F FF FF", "1/2/1* 2/3/2* 2/4/4", "#f38e2e", "#2e4b6f"),
    _die("vision", "Vision", "M MM MM", "0/1/4 1/2/6 2/4/7", "#e42337", "#662e2c"),
    _die("wolverineux", "Wolverine", "F FF FF", "1/5/2* 2/6/3* 3/8/4", "#17268f", "#dde27d"),
    _die("x23", "X-23", "F FF FF", "1/5/2 2/6/2 2/7/3", "#191516", "#c0bbba"),
    # Civil War (cw)
    _die("antmancw", "Ant-Man", "F FF FF", "0/1/2 0/2/2 1/4/3", "#ba3926", "#dc9d8a"),
    _die("baronzemocw", "Baron Zemo", "M MM MM", "0/2/2 1/3/3 2/4/6", "#7b2d59", "#e5b18f"),
    _die("blackwidowcw", "Black Widow", "S SS SS", "0/2/1 1/3/2 1/3/3", "#cc3715", "#f3c7b3"),
    _die("bullseye", "Bullseye", "B BB BB", "0/3/1 0/4/1 1/5/1", "#2a1f1d", "#efe9e7"),
    _die("captainamericacw", "Captain America", "S SS SS", "1/2/4 2/4/5 2/5/5", "#7b524c", "#f8e2dc"),
    _die("captainmarvelcw", "Captain Marvel", "B BB BB", "0/4/4 1/5/5 2/6/6", "#363773", "#dad19b"),
    _die("deathlok", "Deathlok", "S SS SS", "1/5/5 2/6/6 3/8/8", "#f8f4f4", "#8f3b34"),
    _die("falconcw", "Falcon", "F FF FF", "1/3/1 1/4/2 2/5/3", "#f9af23", "#923409"),
    _die("goliath", "Goliath", "F FF FF", "2/5/5 2/6/6 3/7/7", "#1b1529", "#bd9954"),
    _die("hercules", "Hercules", "F FF FF", "1/4/4 1/5/5 2/5/7", "#3d5247", "#dfcca0"),
    _die("ironfistcw", "Iron Fist", "F FF FF", "0/4/2 1/5/2 2/6/3", "#f3bf32", "#36200b"),
    _die("ironmancw", "Iron Man", "B BB BB", "1/4/4* 2/5/5 3/6/6", "#91382c", "#f3a947"),
    _die("jessicajones", "Jessica Jones", "F FF FF", "0/3/2 1/4/4 2/5/4", "#4da1b3", "#6a3667"),
    _die("justice", "Justice", "S SS SS", "0/2/3 1/3/3 2/4/4", "#191c3b", "#d5b25a"),
    _die("lokicw", "Loki", "M MM MM", "1/2/4 1/2/6 2/2/8", "#2b2921", "#cfb98f"),
    _die("lukecagecw", "Luke Cage", "F FF FF", "1/3/4 1/5/5 2/6/6", "#433c3e", "#c8c4bf"),
    _die("mariahillcw", "Maria Hill", "S SS SS", "0/2/1 0/2/2 1/3/3", "#d5b8a1", "#773428"),
    _die("maryjanecw", "Mary Jane", "M MM MM", "0/1/1 1/1/3 1/2/3", "#efa0b9", "#af3f59"),
    _die("moonknight", "Moon Knight", "M MM MM", "1/4/2 1/5/3 2/5/5", "#301b1b", "#c0c2ba"),
    _die("moonstone", "Moonstone", "B BB BB", "1/3/2 2/4/3 2/5/4", "#d4cecd", "#865b3a"),
    _die("msmarvel", "Ms. Marvel", "S SS SS", "0/3/5 1/4/6 1/6/6", "#916583", "#e0c034"),
    _die("namorita", "Namorita", "S SS SS", "0/1/3 0/2/4 1/2/6", "#708484", "#e3ecec"),
    _die("nataliaromanova", "Natalia Romanova", "B BB BB", "0/4/4 1/5/5 2/6/6", "#ad362f", "#e3b9ac"),
    _die("nitro", "Nitro", "B BB BB", "0/1/3 1/2/4 2/4/5", "#8b4a2a", "#c7aea0"),
    _die("punishercw", "Punisher", "F FF FF", "1/4/1 1/5/2 2/6/2", "#302825", "#efe9e7"),
    _die("pymparticlescw", "Pym Particles", "M MM MM", "! !* !**", "#ad3228", "#4b0b06"),
    _die("radioactiveman", "Radioactive Man", "B BB BB", "0/2/1 1/3/2 1/4/4", "#dee518", "#7a9f12"),
    _die("rescue", "Rescue", "S SS SS", "1/2/3 1/2/5 2/3/6", "#eae1e4", "#7f3b46"),
    _die("rocketraccooncw", "Rocket Raccoon", "B BB BB", "0/1/1 0/3/1 1/4/1", "#e79d44", "#4a1d06"),
    _die("ronin", "Ronin", "M MM MM", "0/1/2 0/2/4 1/3/5", "#110a08", "#ccb391"),
    _die("scarletspidercw", "Scarlet Spider", "M MM MM", "1/3/3 1/4/3 2/6/3", "#a53427", "#420604"),
    _die("shannoncarter", "Shannon Carter", "F FF FF", "1/3/3 1/4/4 2/5/5", "#a82824", "#9cb2b5"),
    _die("shehulkcw", "She-Hulk", "F FF FF", "1/4/4 1/5/5 2/6/7", "#65477b", "#ccb6c5"),
    _die("songbird", "Songbird", "S SS SS", "0/1/2 0/2/3 1/3/4", "#c4397b", "#f9d6ed"),
    _die("speedball", "Speedball", "B BB BB", "0/2/2 1/3/3 1/4/5", "#304a86", "#cd8039"),
    _die("spidermancw", "Spider-Man", "B BB BB", "1/3/3* 1/4/3 2/5/4", "#23253c", "#a44f55"),
    _die("steverogers", "Steve Rogers", "S SS SS", "1/2/4 1/3/5 2/4/7", "#ab362f", "#efc5b2"),
    _die("taskmaster", "Taskmaster", "M MM MM", "1/5/4 1/6/5 2/6/6", "#4d201d", "#f2e0dc"),
    _die("thorcw", "Thor", "B BB BB", "1/5/3 1/6/4 2/7/6", "#cf9221", "#f9ecc8"),
    _die("tonystark", "Tony Stark", "M MM MM", "1/5/5 2/6/6 2/7/8", "#a6342b", "#f7be7b"),
    _die("venomcw", "Venom", "M MM MM", "0/3/3 1/4/4 1/5/5", "#bfac9d", "#22130d"),
    _die("vibraniumshieldcw", "Vibranium Shield", "S SS SS", "! !* !**", "#d1cac4", "#803125"),
    _die("waspcw", "Wasp", "M MM MM", "1/2/2 1/3/2 2/4/3", "#423630", "#dfd4a4"),
    _die("wintersoldier", "Winter Soldier", "F FF FF", "1/5/3 1/6/4 2/6/5", "#b3c1b8", "#b65442"),
    # Avengers Infinity (ai)
    _die("ai_arnimzola", "Arnim Zola", "B BB BB", "0/2/3 1/2/4 1/3/4", "#b5b8bc", "#363337"),
    _die("ai_avengersidcard", "Avengers ID Card", "M MM MM", "! !* !**", "#b1b5b7", "#375569"),
    _die("ai_blackpanther", "Black Panther", "F FF FF", "0/4/2 1/5/2 1/8/2", "#d8bfd0", "#36283c"),
    _die("ai_blackwidow", "Black Widow", "F FF FF", "0/2/1 0/2/2 1/3/3", "#8ba9b8", "#973347"),
    _die("ai_captainamerica", "Captain America", "S SS SS", "1/3/3 2/5/4 2/5/5", "#e06834", "#65575d"),
    _die("ai_doctorstrange", "Doctor Strange", "M MM MM", "1/4/6 2/5/8 3/8/9", "#baba59", "#3e4013"),
    _die("ai_dormammu", "Dormammu", "M MM MM", "1/5/5 2/7/6 2/8/8", "#df7738", "#6a2809"),
    _die("ai_gamora", "Gamora", "F FF FF", "1/3/3* 2/4/3 2/4/5", "#387856", "#a0a154"),
    _die("ai_hulk", "Hulk", "S SS SS", "1/4/6 2/6/7 3/8/8", "#596244", "#bbc3a1"),
    _die("ai_ironman", "Iron Man", "S SS SS", "1/3/5 1/4/6 2/5/7*", "#2e2d30", "#987d63"),
    _die("ai_loki", "Loki", "M MM MM", "1/1/5 1/1/7 2/2/8", "#24505f", "#859675"),
    _die("ai_redskull", "Red Skull", "F FF FF", "1/3/4 2/4/5 3/5/5", "#a74532", "#371c17"),
    _die("ai_starlord", "Star-Lord", "F FF FF", "1/3/2 2/5/3 2/5/4", "#82302e", "#d2abaa"),
    _die("ai_thor", "Thor", "B BB BB", "1/5/3 1/6/4 2/7/6", "#558d9c", "#9cbd59"),
    _die("ai_vision", "Vision", "M MM MM", "0/1/4 1/2/6 2/4/7", "#8c4149", "#cc9e74"),
    _die("ai_wasp", "Wasp", "B BB BB", "1/2/2 1/2/3 2/3/4", "#8daedd", "#7f3c57"),
)

DICE: dict[str, Die] = {die.key: die for die in _ALL}
