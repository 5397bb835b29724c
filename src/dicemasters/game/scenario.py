"""Scenarios: a position, what is rolled, what is chosen, and what must come of it (docs/notation.md)."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from dicemasters.cards.catalogue import Catalogue
from dicemasters.game import look, notation, say
from dicemasters.game.canonical import shows_face
from dicemasters.game.game import Game, IllegalChoiceError
from dicemasters.game.moves import ScriptError
from dicemasters.game.notation import PLACES, NotationError
from dicemasters.game.state import BLOCKED, FIELD, HAND, RESERVE, State

_SKIP = ("pass", "no attack", "attack", "no block", "done blocking", "keep all", "reroll these", "no", "none", "done")


class ExpectationError(AssertionError):
    """Something came out differently from what a scenario expects."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


@dataclass
class Scenario:
    """One scenario of a file: its title, the lines of its position and those of its play."""

    title: str
    position: list[tuple[int, str]] = field(default_factory=list)
    play: list[tuple[int, str]] = field(default_factory=list)


def read_scenarios(text: str) -> list[Scenario]:
    """Split a file into its scenarios."""
    found: list[Scenario] = []
    playing = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("  #", 1)[0].rstrip()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key = line.split(":", 1)[0].strip().casefold()
        if key == "scenario":
            found.append(Scenario(line.split(":", 1)[1].strip()))
            playing = False
        elif not found:
            raise NotationError("a scenario begins with 'scenario: its title'", number)
        elif line.strip().casefold() == "play:":
            playing = True
        elif playing:
            found[-1].play.append((number, line))
        else:
            found[-1].position.append((number, line))
    if not found:
        raise NotationError("there is no scenario in it")
    return found


def run_scenario(scenario: Scenario, cards: Catalogue | None = None) -> Game:
    """Play a scenario and check what it expects; gives the game at its end."""
    return _Stage(scenario, cards).run()


def check(text: str, cards: Catalogue | None = None) -> Game:
    """Run all scenarios of a text; gives the last game."""
    game: Game | None = None
    for scenario in read_scenarios(text):
        try:
            game = run_scenario(scenario, cards)
        except ExpectationError as error:
            raise ExpectationError(f"{scenario.title}: {str(error).split(': ', 1)[1]}", error.line) from None
    assert game is not None
    return game


def run_files(paths: list[str], cards: Catalogue | None = None) -> int:
    """Run scenario files; say what differed; give 0, 1 if an expectation failed, 2 if a file is wrong."""
    passed = failed = wrong = 0
    for path in paths:
        try:
            scenarios = read_scenarios(_text(Path(path).read_bytes()))
        except (OSError, NotationError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            print(f"{path}: {reason}", file=sys.stderr)
            wrong += 1
            continue
        for scenario in scenarios:
            try:
                run_scenario(scenario, cards)
                passed += 1
            except ExpectationError as error:
                failed += 1
                print(f"{path}: {error} [{scenario.title}]")
            except NotationError as error:
                wrong += 1
                print(f"{path}: {error} [{scenario.title}]", file=sys.stderr)
    print(f"{passed} passed, {failed} failed" + (f", {wrong} not readable" if wrong else ""))
    return 2 if wrong else 1 if failed else 0


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotationError("the text is not UTF-8", data.count(b"\n", 0, error.start) + 1) from None


class _Stage:
    """A scenario being played."""

    def __init__(self, scenario: Scenario, cards: Catalogue | None) -> None:
        self.scenario = scenario
        self.cards = cards
        self.game: Game

    def run(self) -> Game:
        position = [(n, line) for n, line in self.scenario.position if not _is_chance(line)]
        last = max((n for n, _ in position), default=0)
        text = [""] * last
        for n, line in position:
            text[n - 1] = line
        state = notation.read_plain("\n".join(text), self.cards)
        for n, line in self.scenario.position:
            if _is_chance(line):
                self.script(state, n, line)
        try:
            self.game = Game(state)
        except ScriptError as error:
            raise NotationError(str(error), last) from None
        for number, line in self.scenario.play:
            self.line(number, line)
        if self.game.state.script:
            left = len(self.game.state.script)
            lines = self.scenario.play or self.scenario.position
            raise ExpectationError(f"{left} scripted draws or rolls did not happen", lines[-1][0])
        return self.game

    def line(self, number: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        plain = key.casefold()
        if not colon:
            raise NotationError(f"expected 'something: ...', found '{line.strip()}'", number)
        if _is_chance(line):
            self.script(self.game.state, number, line)
        elif len(key) == 1 and key.upper() in say.SEATS:
            for choice in value.split(";"):
                self.choose(number, key.upper(), choice.strip())
        elif plain in ("may", "may not", "may only"):
            self.options(number, plain, [v.strip() for v in value.split(";")])
        elif plain == "skip to":
            self.skip(number, value)
        elif plain.startswith("expect"):
            self.expect(number, key[6:].strip(), value)
        else:
            raise NotationError(f"'{key}' is nothing a scenario can do or expect", number)

    # --- doing -----------------------------------------------------------------------------------------------------

    def choose(self, number: int, player: str, text: str) -> None:
        decision = self.game.decision
        if decision is None:
            raise NotationError("the game is over", number)
        if decision.player != player:
            raise NotationError(f"it is {decision.player}'s decision ({decision.question}), not {player}'s", number)
        try:
            self.game.play(text)
        except (IllegalChoiceError, ScriptError) as error:
            raise NotationError(str(error), number) from None

    def skip(self, number: int, goal: str) -> None:
        """Pass and decline until the named decision comes."""
        for _ in range(200):
            decision = self.game.decision
            if decision is None:
                raise NotationError(f"the game ended before '{goal}'", number)
            if f"{decision.player} {decision.kind}" == goal:
                return
            texts = [o.text for o in decision.options]
            way = next((t for t in _SKIP if t in texts), None)
            if way is None:
                raise NotationError(f"cannot skip {decision.player}'s decision: {decision.question}", number)
            try:
                self.game.play(way)
            except ScriptError as error:
                raise NotationError(str(error), number) from None
        raise NotationError(f"'{goal}' does not come", number)

    def script(self, s: State, number: int, line: str) -> None:
        """`A rolls: F, Hulk@2` and `A draws: Sidekick` say what chance will give next."""
        key, _, value = line.partition(":")
        letter, _, what = key.strip().partition(" ")
        seat = _seat(s, number, letter)
        place = HAND if what == "draws" else RESERVE
        for count, item, _ in notation.split_items(s, value, seat, number):
            owner, card, face = notation.read_item(s, item, seat, place, number)
            for _ in range(count):
                s.script.append((owner, card, face))

    # --- expecting -------------------------------------------------------------------------------------------------

    def options(self, number: int, how: str, wanted: list[str]) -> None:
        decision = self.game.decision
        texts = [] if decision is None else [o.text for o in decision.options]
        folded = [t.casefold() for t in texts]
        folded = [f"{t}\n{t.replace('*', '')}" for t in folded]  # bursts may be left out
        for text in wanted:
            there = any(text.casefold() in t for t in folded)
            if there == (how == "may not"):
                verb = "may" if there else "may not"
                who = decision.player if decision else "nobody"
                raise ExpectationError(f"{who} {verb} '{text}'; the options are: {'; '.join(texts)}", number)
        if how == "may only":
            extra = [t for t, f in zip(texts, folded, strict=True) if not any(x.casefold() in f for x in wanted)]
            if extra:
                raise ExpectationError(f"also possible: {'; '.join(extra)}", number)

    def expect(self, number: int, what: str, value: str) -> None:
        s = self.game.state
        plain = what.casefold()
        if plain == "result":
            found = say.result_text(s).rstrip(".") or "unfinished"
            if not found.casefold().startswith(value.casefold()):
                raise ExpectationError(f"expected the result '{value}', it is '{found}'", number)
        elif plain == "decision":
            decision = self.game.decision
            found = "none" if decision is None else f"{decision.player} {decision.kind}"
            if found != value:
                raise ExpectationError(f"expected the decision '{value}', it is '{found}'", number)
        elif plain == "question":
            decision = self.game.decision
            found = "none" if decision is None else decision.question
            if found != value:
                raise ExpectationError(f"expected the question '{value}', it is '{found}'", number)
        elif plain == "turn":
            found = f"{say.side_name(s, s.active)} {say.step_text(s)}"
            if not found.startswith(value):
                raise ExpectationError(f"expected the turn '{value}', it is '{found}'", number)
        elif plain in ("happened", "happened not"):
            self.happened(number, [v.strip() for v in value.split(";")], plain == "happened")
        elif (found_zone := re.fullmatch(r"([a-d]) (\w+)( has)?", plain)) and found_zone[2] in (*PLACES, "life"):
            seat = _seat(s, number, found_zone[1])
            if found_zone[2] == "life":
                if str(s.life[seat & 1]) != value:
                    raise ExpectationError(f"expected {what} {value}, it is {s.life[seat & 1]}", number)
            else:
                self.zone(number, seat, found_zone[2], value, bool(found_zone[3]))
        else:
            self.stats(number, what, value)

    def happened(self, number: int, wanted: list[str], expected: bool) -> None:
        """`happened: a; b` asks for these lines of the log, in this order, since the last choice."""
        lines: list[str] = []
        for line in reversed(self.game.log):
            if not line.startswith(" "):
                break
            lines.insert(0, line.strip())
        left = lines
        for text in wanted:
            at = next((i for i, line in enumerate(left) if line.casefold() == text.casefold()), -1)
            if (at >= 0) != expected:
                problem = "it did not happen, or not in this order" if expected else "it did happen"
                raise ExpectationError(f"'{text}': {problem}; what happened: {'; '.join(lines) or 'nothing'}", number)
            if expected:
                left = left[at + 1 :]

    def zone(self, number: int, seat: int, name: str, value: str, partly: bool) -> None:
        s = self.game.state
        place = PLACES[name]
        dice = s.dice_in(place, seat)
        wanted: list[tuple[str, list[str]]] = []
        if value not in ("-", "empty", "nothing"):
            for count, item, words in notation.split_items(s, value, seat, number):
                owner, card, face = notation.read_item(s, item, seat, place, number)
                key = f"{owner} {card} {face}" if face >= 0 else f"{owner} {card}"
                wanted += [(key, words)] * count
        wanted.sort(key=lambda x: (len(x[0].split()), len(x[1])), reverse=True)  # the most exact first
        left = list(dice)
        for key, words in wanted:
            hit = next((d for d in left if _fits(s, d, key, words)), None)
            if hit is None:
                break
            left.remove(hit)
        else:
            if partly or not left:
                return
        shown = Counter(notation.item_text(s, d) for d in dice)
        text = ", ".join(f"{n} {x}" if n > 1 else x for x, n in shown.items()) or "nothing"
        letter = say.SEATS[seat]
        raise ExpectationError(
            f"expected {letter} {name}{' to have' if partly else ''}: {value}; it is: {text}", number
        )

    def stats(self, number: int, what: str, value: str) -> None:
        """`A's Hulk@1: 6/5` asks for A and D of all such dice in the field, `6/5, 7/6` of each."""
        s = self.game.state
        found = re.fullmatch(r"([A-D])'s (.+)", what)
        if not found or not re.fullmatch(r"\d+/\d+(, *\d+/\d+)*", value):
            raise NotationError(f"'expect {what}: {value}' is nothing that can be expected", number)
        seat = _seat(s, number, found[1])
        wanted = found[2].casefold()
        dice: list[int] = []
        for d in s.dice_in(FIELD, seat):
            text = say.die_text(s, d).casefold()
            if wanted in (text, text.rstrip("*"), say.title(s, d).casefold()):
                dice.append(d)
        if not dice:
            raise ExpectationError(f"{what} is not in the field", number)
        numbers = sorted("{}/{}".format(*look.stats(s, d)) for d in dice)
        values = sorted(v.strip() for v in value.split(","))
        if numbers != (values if len(values) > 1 else values * len(dice)):
            raise ExpectationError(f"expected {what} to be {value}, it is {', '.join(numbers)}", number)


def _seat(s: State, number: int, letter: str) -> int:
    seat = say.SEATS.index(letter.upper())
    if seat >= s.table.n_seats:
        raise NotationError(f"there is no player {letter.upper()}", number)
    return seat


def _is_chance(line: str) -> bool:
    return re.match(r"\s*[A-Da-d] (draws|rolls)\s*:", line) is not None


def _fits(s: State, d: int, key: str, words: list[str]) -> bool:
    parts = key.split()
    if int(parts[0]) != s.owner[d] or int(parts[1]) != s.table.card_of[d]:
        return False
    if len(parts) > 2 and shows_face(s, d) and int(parts[2]) != s.face[d]:
        return False
    text = notation.item_text(s, d).casefold()
    mine = [w.strip() for w in text.partition("(")[2].rstrip(")").split(",")]
    for word in words:
        plain = word.casefold()
        if plain == "no damage":
            if s.damage[d]:
                return False
        elif plain == "blocked":
            if not s.flags[d] & BLOCKED:
                return False
        elif plain == "not attacking":
            if "attacking" in mine:
                return False
        elif not any(w.startswith(plain) for w in mine):
            return False
    return True
