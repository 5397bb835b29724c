"""A scenario being played: its lines choose, say what chance will give, look, and expect (docs/notation.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from dicemasters.game import labels, notation
from dicemasters.game.answers.ordering import PARTS
from dicemasters.game.game import Game
from dicemasters.game.mechanics.chance import ScriptedDiceError, scripted_queue
from dicemasters.game.notation import EMPTY_TEXTS, PLACES, NotationError, UnplayableError
from dicemasters.game.queries import characteristics, combat_status
from dicemasters.game.scenarios.answer_builder import AnswerBuilder
from dicemasters.game.state.constants import BLOCKED, FIELD, HAND, RESERVE
from dicemasters.game.state.decision_kinds import DECISION_KINDS
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Option
from dicemasters.game.text import describe, matching, templates

Printer = Callable[[str], None]

_SKIP = ("pass", "no attack", "attack", "no block", "done blocking", "keep all", "reroll these", "no", "none", "done")
_MAX_SKIPPED = 200
_MAX_REPORTED = 8
MAX_SCRIPTED = 2_000  # draws and rolls that are set and have not happened


class ExpectationError(AssertionError):
    """Something came out differently from what a scenario expects."""

    def __init__(self, problem: str, line: int) -> None:
        problem = problem.encode("utf-8", "replace").decode()  # a stranger's text may hold what no screen can show
        super().__init__(f"line {line}: {problem}")
        self.line = line


class ScenarioRunner:
    """A game that goes on by the lines of a scenario."""

    def __init__(self, state: State, number: int, printer: Printer | None = None, *, forged: bool = False) -> None:
        self.printer = printer
        try:
            self.game = Game(state, written=True, forged=forged)
        except ScriptedDiceError as error:
            raise ExpectationError(str(error), number) from None
        except UnplayableError as error:
            raise NotationError(error.problem, number) from error
        self.collecting: AnswerBuilder | None = None
        self.deferred: list[tuple[str, str, ExpectationError]] = []  # player, text, and what is wrong if it never fits
        self.agreed: tuple[int, tuple[str, ...]] = (
            0,
            (),
        )  # answers taken since a choice that the scenario names itself
        self.chosen = 0  # how many choices had been made with the last line that made some
        self.alone: list[tuple[int, str]] = []  # what was chosen without being written, and when

    def run_line(self, number: int, line: str) -> None:
        """Carry out one line of the play."""
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        plain = key.casefold()
        if plain == "show" and not value:
            self.show()
            return
        if not colon:
            raise NotationError(f"expected 'something: ...', found '{line.strip()}'", number)
        if len(key) == 1 and key.upper() in describe.SEATS:
            self.choose(number, key.upper(), value)
            return
        self.check_all_used()
        if is_chance(line):
            self.script(number, line)
        elif plain in ("may", "may not", "may only"):
            self.options(number, plain, [v.strip() for v in value.split(";")])
        elif plain == "skip to":
            self.skip(number, value)
        elif plain.split(None, 1)[:1] == ["expect"]:
            self.expect(number, key[6:].strip(), value)
        else:
            raise NotationError(
                f"'{key}' is nothing a scenario can do or expect; its lines begin with {_LINES}", number
            )

    def finish(self, number: int) -> None:
        """Check that nothing that was written is left over."""
        self.check_all_used()
        self.close(number)
        s = self.game.state
        for seat in range(s.spec.n_seats):
            for what in ("draws", "rolls"):
                left = labels.scripted_text(s, scripted_queue(s, seat, what))
                if left:
                    raise ExpectationError(f"{describe.SEATS[seat]}'s scripted {what} did not happen: {left}", number)

    # --- choosing --------------------------------------------------------------------------------------------------

    def choose(self, number: int, player: str, value: str) -> None:
        """Make the choices of a line; the parts of one question may come in any order."""
        seat_of(self.game.state, number, player)
        for text in (part.strip() for part in value.split(";")):
            if self.choose_by_text(number, player, text):
                self.choose_deferred()
                continue
            if self.collecting is not None and self.collecting.waiting:
                self.close(number)
                if self.choose_by_text(number, player, text):  # a split of which all had been named has ended with that
                    self.choose_deferred()
                    continue
            problem = ExpectationError(self.not_offered(player, text), number)
            decision = self.game.decision
            if decision is None or decision.player != player or decision.kind != "choose":
                raise problem
            self.deferred.append((player, text, problem))  # perhaps a target the same text asks for next

    def choose_by_text(self, number: int, player: str, text: str) -> bool:
        """Choose what a text names; False if nothing that can be chosen now is called so."""
        try:
            return (
                self.choose_option(number, player, text)
                or self.choose_part(number, player, text)
                or self.name_after(number, player, text)
                or self.accept_forced(player, text)
            )
        except ScriptedDiceError as error:
            raise ExpectationError(str(error), number) from None

    def choose_option(self, number: int, player: str, text: str) -> bool:
        """Choose one of the options the game offers, by its text or a part of it in one piece."""
        decision, kept = self.game.decision, self.collecting
        mine = decision is not None and decision.player == player
        texts = [o.text for o in decision.options] if decision is not None and mine else []
        found = matching.match_texts(texts, text, matching.WHOLE_TEXT_WAYS)
        if not found and kept is not None and kept.has_ended_with(player, text):
            if kept.scripted_dice:
                kept.play_again()
            self.collecting = None
            return True
        found = found or matching.match_texts(texts, text, matching.SUBSTRING_WAYS)
        if not found and not any(c.match_parts(text, whole=True) for c in self.questions(player)):
            found = matching.match_texts(texts, text)
        self.require_single(number, text, [texts[i] for i in found])
        if found:
            self.play(number, found[0], texts[found[0]])
        return bool(found)

    def choose_part(self, number: int, player: str, text: str) -> bool:
        """Choose a part of the question that the engine asks for earlier, or only after others."""
        for question in self.questions(player):
            found = question.match_parts(text, whole=True) or question.match_parts(text)
            self.require_single(number, text, [words for _, words in found])
            if found:
                try:
                    self.add(number, question, *found[0])
                except ExpectationError:
                    if question.is_open or not self.accept_forced(player, text):
                        raise
                return True
        return False

    def add(self, number: int, question: AnswerBuilder, option: Option, text: str) -> None:
        """Add a part to those of its question that have been named."""
        if not question.add(option, text):
            named = "; ".join(question.texts())
            raise ExpectationError(f"'{text}' cannot be chosen together with: {named or 'nothing'}", number)
        self.collecting = question
        self.chosen = len(self.game.moves)

    def name_after(self, number: int, player: str, text: str) -> bool:
        """Choose what comes after a question of several parts, which ends with that."""
        if self.collecting is None or not self.collecting.played_parts or not self.collecting.is_open:
            return False
        done = self.done_index()
        if done < 0:
            return False
        trial = self.game.copy()
        trial.play(done)
        decision = trial.decision
        if decision is None or decision.player != player:
            return False
        together = (
            DECISION_KINDS[decision.kind].mode != "one"
        )  # it may be legal only with other parts of the next question
        if not matching.match_texts([o.text for o in decision.options], text) and not (
            together and AnswerBuilder(trial).match_parts(text)
        ):
            return False
        self.close(number)
        self.play_unwritten(done)
        return self.choose_by_text(number, player, text)

    def accept_forced(self, player: str, text: str) -> bool:
        """Agree with an answer that was taken since the last choice because there was no other."""
        before, agreed = self.agreed
        agreed = agreed if before == self.chosen else ()
        taken = [line.removeprefix(f"{player}: ") for line in self.game.taken(self.chosen) if line.startswith(player)]
        taken += self.paid_alone(player)
        for line in agreed:
            if line in taken:
                taken.remove(line)
        found = matching.match_texts(taken, text)
        if found:
            self.agreed = (self.chosen, (*agreed, taken[found[0]]))
        return bool(found)

    def paid_alone(self, player: str) -> list[str]:
        """List what was paid since the last choice without a question, in the words of one."""
        if self.collecting is not None and self.collecting.base.decision.kind == "pay":
            return []
        s = self.game.state.copy()
        texts: list[str] = []
        for line in self.game.news(self.chosen - 1):
            if line.kind == "pay" and line.dice and describe.SEATS[line.seat] == player:
                s.place[line.dice[0]] = RESERVE << 2 | line.seat  # where it lay
                texts += describe.distinct_texts(s, [("pay", line.dice[0], line.amount)])
        return texts

    def choose_deferred(self) -> None:
        """Choose what was named before the question for it came, as long as one ability asks for its targets."""
        for kept in self.deferred[:]:
            player, text, problem = kept
            decision = self.game.decision
            if decision is None or (decision.player, decision.kind) != (player, "choose"):
                raise problem
            if self.choose_by_text(problem.line, player, text):
                self.deferred.remove(kept)

    def check_all_used(self) -> None:
        """Whatever has been named must have found its question."""
        if self.deferred:
            raise self.deferred[0][2]
        self.complete_split()

    def complete_split(self) -> None:
        """End a split of which all has been named."""
        if self.collecting is not None and self.collecting.waiting:
            self.collecting.fill_zeros()
            self.chosen = len(self.game.moves)

    def questions(self, player: str) -> list[AnswerBuilder]:
        """List the questions of several parts that a part could belong to: the one asked, and one that has just ended."""
        kept = self.collecting if self.collecting is not None and self.collecting.is_current else None
        decision = self.game.decision
        found: list[AnswerBuilder] = []
        if (
            decision is not None
            and DECISION_KINDS[decision.kind].mode != "one"
            and not (kept is not None and kept.is_open)
        ):
            found.append(AnswerBuilder(self.game))
        if kept is not None:
            found.append(kept)
        return [question for question in found if question.player == player]

    def play(self, number: int, index: int, text: str) -> None:
        """Play an option the game offers."""
        s = self.game.state
        option, kept = s.options[index], self.collecting
        if option[0] in PARTS and DECISION_KINDS[s.decision.kind].mode != "one":
            if kept is not None and kept.waiting and kept.is_open:
                self.add(number, kept, option, text)
                return
            if kept is None or not kept.is_open:
                self.close(number)
                kept = AnswerBuilder(self.game)
            kept.play(index)
            self.collecting = kept
        else:
            self.close(number)
            self.game.play(index)
        self.chosen = len(self.game.moves)

    def close(self, number: int) -> None:
        """End the question that is being answered: all that was named must have been played."""
        self.complete_split()
        if self.collecting is not None and self.collecting.waiting:
            text = self.collecting.waiting[0][1]
            offered = "; ".join(describe.option_texts(self.game.state))
            raise ExpectationError(f"'{text}' cannot be chosen without one of these: {offered}", number)
        self.collecting = None

    def done_index(self) -> int:
        return next((i for i, o in enumerate(self.game.state.options) if o[0] == "done"), -1)

    def play_unwritten(self, index: int) -> None:
        """Play an option that nobody has written."""
        player = describe.seat_name(self.game.state.decision.seat)
        text = describe.option_texts(self.game.state)[index]
        self.game.play(index)
        self.alone.append((len(self.game.moves), f"{player}: {text}"))

    @staticmethod
    def require_single(number: int, text: str, found: list[str]) -> None:
        if len(found) > 1:
            raise ExpectationError(f"'{text}' fits more than one option: {'; '.join(found)}", number)

    def not_offered(self, player: str, text: str) -> str:
        """Say why a text cannot be chosen: whose decision it is, what is offered, and what was taken meanwhile."""
        decision = self.game.decision
        if decision is None:
            return f"the game is over{self.forced_since_last_line()}"
        if decision.player != player:
            return f"it is {decision.player}'s decision ({decision.question}), not {player}'s{self.forced_since_last_line()}"
        may = f"{player} may: {'; '.join(self.offered())}{self.remaining_options(player)}"
        return f"'{text}' is not an option; {may}{self.forced_since_last_line()}"

    def remaining_options(self, player: str) -> str:
        """Tell what could still be added to a question that ended by itself, as nothing came behind what was named."""
        ended = self.just_ended()
        more = [text for _, text in ended.parts()] if ended is not None and ended.player == player else []
        return f", or besides {'; '.join(ended.texts())}: {'; '.join(more)}" if ended is not None and more else ""

    def forced_since_last_line(self) -> str:
        """Tell what was chosen since the last line without having been written."""
        told = [(self.chosen, text) for text in self.game.taken(self.chosen)]
        told += [(move, text) for move, text in self.alone if move > self.chosen]
        texts = [text for _, text in sorted(told, key=lambda x: x[0])]
        more = "... " if len(texts) > _MAX_REPORTED else ""
        return f"; taken meanwhile: {more}{', '.join(texts[-_MAX_REPORTED:])}" if texts else ""

    def skip(self, number: int, goal: str) -> None:
        """Pass and decline until the named decision comes; which effect comes first is not cared about."""
        if goal != "none":
            self.read_decision(number, goal)
        self.close(number)
        for _ in range(_MAX_SKIPPED):
            decision = self.game.decision
            if decision is None and goal == "none":
                return
            if decision is None:
                raise ExpectationError(f"the game ended before '{goal}'", number)
            if f"{decision.player} {decision.kind}" == goal:
                return
            texts = [o.text for o in decision.options]
            way = 0 if decision.kind == "resolve" else next((texts.index(t) for t in _SKIP if t in texts), -1)
            if way < 0:
                raise ExpectationError(
                    f"cannot skip {decision.player}'s decision ({decision.kind}): {decision.question}", number
                )
            try:
                self.play_unwritten(way)
            except ScriptedDiceError as error:
                raise ExpectationError(str(error), number) from None
        raise ExpectationError(f"'{goal}' does not come", number)

    def script(self, number: int, line: str) -> None:
        added = set_chance(self.game.state, number, line)
        if self.collecting is not None:
            self.collecting.scripted_dice += added

    # --- looking ---------------------------------------------------------------------------------------------------

    def offered(self, *, at_once: bool = False) -> list[str]:
        """List everything that can be named now, in whichever order the engine asks; what fits only with more too.

        With `at_once` only what can be chosen without naming anything else, which is all the question is about.
        """
        decision = self.game.decision
        if decision is None:
            return []
        texts = [o.text for o in decision.options]
        for question in self.questions(decision.player):
            if question.is_open and not (at_once and DECISION_KINDS[decision.kind].mode == "split"):
                texts += [text for _, text in question.parts(at_once=at_once) if text not in texts]
        return texts

    def just_ended(self) -> AnswerBuilder | None:
        """Give the question that the engine has ended by itself, and to which parts can still be added."""
        kept = self.collecting
        return kept if kept is not None and kept.is_current and not kept.is_open else None

    def show(self) -> None:
        """Print the position and the options."""
        if self.printer is None:
            return
        lines = [x for x in self.game.to_text().split("\n\n", 1)[1].splitlines() if not x.startswith("chance:")]
        decision = self.game.decision
        if decision is None:
            lines.append(describe.result_text(self.game.state))
        else:
            lines.append(f"{decision.player} {decision.kind}: {decision.question}")
            lines += [f"  {text}" for text in self.offered()]
        self.printer("\n".join(lines))

    # --- expecting -------------------------------------------------------------------------------------------------

    def options(self, number: int, how: str, wanted: list[str]) -> None:
        decision = self.game.decision
        if not all(wanted):
            raise NotationError(f"'{how}:' has to name an option", number)
        texts = self.offered(at_once=how == "may only")
        ended = self.just_ended() if how != "may only" else None
        more = [text for _, text in ended.parts()] if ended is not None else []
        for text in wanted:
            there = any(matching.contains_part(t, text) for t in texts)
            if ended is not None and not there and any(matching.contains_part(t, text) for t in more):
                if how == "may not":
                    named = "; ".join(ended.texts())
                    raise ExpectationError(f"{ended.player} may '{text}' besides what was named: {named}", number)
            elif there == (how == "may not"):
                verb = "may" if there else "may not"
                who = decision.player if decision else "nobody"
                raise ExpectationError(f"{who} {verb} '{text}'; the options are: {'; '.join(texts)}", number)
            if how == "may not":
                self.check_vocabulary(number, text, log=False)
                self.read_owner(number, text, texts, decision.player if decision else "")
                self.read_order(number, text, texts, decision.player if decision else "", log=False)
        if how == "may only":
            extra = [t for t in texts if not any(matching.contains_part(t, x) for x in wanted)]
            if extra:
                raise ExpectationError(f"also possible: {'; '.join(extra)}", number)

    def check_vocabulary(self, number: int, text: str, *, log: bool) -> None:
        unknown = matching.unknown_words(self.game.table, text, log=log)
        if unknown:
            where = "line of the log" if log else "option"
            raise NotationError(f"'{text}' can never be: no {where} in this game has the word '{unknown[0]}'", number)

    def read_owner(self, number: int, text: str, lines: list[str], owners: str) -> None:
        """Whose a die is must be as it can be, and cannot be denied where it is not said, as in A's `attack with Hulk@1`."""
        wrong = templates.impossible_owner(self.game.table, text)
        if wrong:
            raise NotationError(f"'{text}' can never be: there is no '{wrong}' in this game", number)
        bare = matching.strip_owners(text, owners)
        for line in lines if bare != text else ():
            if line == matching.strip_owners(line, describe.SEATS) and matching.contains_part(line, bare):
                raise NotationError(
                    f"'{text}' can never be, though there is '{line}', which does not say whose", number
                )

    def read_decision(self, number: int, text: str) -> None:
        player, _, kind = text.partition(" ")
        if player not in describe.SEATS[: self.game.table.n_seats] or kind not in DECISION_KINDS:
            raise NotationError(
                f"'{text}' is no decision; it is written as 'A main', and the kinds are: {', '.join(DECISION_KINDS)}",
                number,
            )

    def expect(self, number: int, what: str, value: str) -> None:
        s = self.game.state
        plain = what.casefold()
        decision = self.game.decision
        if not value:
            raise NotationError(f"'expect {what}:' does not say what; of a place with no dice say 'nothing'", number)
        if plain == "result":
            found = describe.result_text(s).rstrip(".") or "unfinished"
            wanted = value.casefold()
            if not any(end.startswith(wanted) or wanted.startswith(end) for end in _RESULTS):
                raise NotationError(f"'{value}' is no result; there are {', '.join(_RESULTS)}", number)
            if not found.casefold().startswith("a tie" if wanted == "tie" else wanted):
                raise ExpectationError(f"expected the result '{value}', it is '{found}'", number)
        elif plain == "decision":
            found = "none" if decision is None else f"{decision.player} {decision.kind}"
            if found != value:
                if value != "none":
                    self.read_decision(number, value)
                raise ExpectationError(
                    f"expected the decision '{value}', it is '{found}'{self.forced_since_last_line()}", number
                )
        elif plain == "question":
            found = "none" if decision is None else decision.question
            if found != value:
                raise ExpectationError(f"expected the question '{value}', it is '{found}'", number)
        elif plain == "turn":
            found = f"{describe.side_name(s, s.active)} {describe.step_text(s)}"
            if not found.startswith(value):
                raise ExpectationError(f"expected the turn '{value}', it is '{found}'", number)
        elif plain in ("happened", "happened not"):
            self.happened(number, [v.strip() for v in value.split(";")], plain == "happened")
        elif points := re.fullmatch(r"([a-d]) (life|left over)", plain):
            seat = seat_of(s, number, points[1])
            now = s.life[seat & 1] if points[2] == "life" else s.virtual_energy[seat]
            if not notation.is_number(value, 3):
                raise NotationError(f"'expect {what}' needs a number, found '{value}'", number)
            if now != int(value):
                raise ExpectationError(f"expected {what} {value}, it is {now}", number)
        elif (found_zone := re.fullmatch(r"([a-d]) (\w+)( has)?", plain)) and found_zone[2] in PLACES:
            seat = seat_of(s, number, found_zone[1])
            self.expect_zone(number, seat, found_zone[2], value, bool(found_zone[3]))
        else:
            self.expect_stats(number, what, value)

    def happened(self, number: int, wanted: list[str], expected: bool) -> None:
        """`happened: a; b` asks for lines of the log with these words, in this order, since the last choice."""
        lines: list[str] = []
        for line in reversed(self.game.log):
            if not line.startswith(" "):
                break
            lines.insert(0, line.strip())
        left = lines
        if expected and wanted == ["nothing"] and not lines:
            return
        for text in wanted:
            at = next((i for i, line in enumerate(left) if matching.contains_in_order(line, text)), -1)
            if (at >= 0) != expected:
                problem = "it did not happen, or not in this order" if expected else "it did happen"
                raise ExpectationError(f"'{text}': {problem}; what happened: {'; '.join(lines) or 'nothing'}", number)
            if expected:
                left = left[at + 1 :]
            else:
                self.check_vocabulary(number, text, log=True)
                self.read_owner(number, text, lines, describe.SEATS)
                self.read_order(number, text, lines, "", log=True)

    def read_order(self, number: int, text: str, lines: list[str], player: str, *, log: bool) -> None:
        """Words in another order than there can be, or is, would deny nothing; nor would a level that no die has."""
        for line in lines:
            if matching.contains_words(line, text):
                raise NotationError(f"'{text}' can never be; with its words in this order there is '{line}'", number)
        if not templates.could_ever_match(self.game.table, text, log=log, player=player):
            where = "line of the log" if log else f"option of {player}'s" if player else "option"
            raise NotationError(f"'{text}' can never be: no {where} in this game reads so", number)

    def expect_zone(self, number: int, seat: int, name: str, value: str, partly: bool) -> None:
        s = self.game.state
        place = PLACES[name]
        dice = s.dice_in(place, seat)
        wanted: list[tuple[str, list[str]]] = []
        listed = notation.without_exactly(value)
        if partly and listed.casefold() in EMPTY_TEXTS:
            raise NotationError(
                f"'has' needs dice; 'expect {describe.SEATS[seat]} {name}: nothing' is for an empty place", number
            )
        if listed.casefold() not in EMPTY_TEXTS:
            for count, item, words in notation.split_items(s, listed, seat, number):
                owner, card, face = notation.read_item(s, item, seat, place, number)
                key = f"{owner} {card} {face}" if face >= 0 else f"{owner} {card}"
                wanted += [(key, words)] * count
        wanted.sort(key=lambda x: (len(x[0].split()), len(x[1])), reverse=True)  # the most exact first
        left = list(dice)
        for key, words in wanted:
            hit = next((d for d in left if _is_matching_die(s, d, key, words, number)), None)
            if hit is None:
                break
            left.remove(hit)
        else:
            if partly or not left:
                return
        shown = Counter(_item_with_bonus(s, d) for d in dice)
        text = ", ".join(f"{n} {x}" if n > 1 else x for x, n in shown.items()) or "nothing"
        letter = describe.SEATS[seat]
        raise ExpectationError(
            f"expected {letter} {name}{' to have' if partly else ''}: {value}; it is: {text}", number
        )

    def expect_stats(self, number: int, what: str, value: str) -> None:
        """`A's Hulk@1: 6/5` asks for A and D of all such dice of A's in the field, `6/5, 7/6` of each."""
        s = self.game.state
        found = re.fullmatch(r"([A-D])'s (.+)", what)
        if not found or not re.fullmatch(r"\d+/\d+(, *\d+/\d+)*", value):
            raise NotationError(
                f"'expect {what}: {value}' is nothing that can be expected; what can is {_EXPECTATIONS}", number
            )
        owner = seat_of(s, number, found[1])
        wanted = found[2].casefold()
        dice: list[int] = []
        for d in (d for seat in range(s.spec.n_seats) for d in s.dice_in(FIELD, seat)):
            text = describe.die_text(s, d).casefold()
            whose = s.place[d] & 3 if s.owner[d] == NOBODY else s.owner[d]
            if whose == owner and wanted in (text, text.rstrip("*"), describe.title(s, d).casefold()):
                dice.append(d)
        if not dice:
            raise ExpectationError(f"{what} is not in the field", number)
        numbers = sorted("{}/{}".format(*characteristics.current_stats(s, d)) for d in dice)
        values = sorted(v.strip() for v in value.split(","))
        if numbers != (values if len(values) > 1 else values * len(dice)):
            raise ExpectationError(f"expected {what} to be {value}, it is {', '.join(numbers)}", number)


def seat_of(s: State, number: int, letter: str) -> int:
    """Give the seat a letter stands for."""
    seat = describe.SEATS.index(letter.upper())
    if seat >= s.spec.n_seats:
        raise NotationError(f"there is no player {letter.upper()}", number)
    return seat


def is_chance(line: str) -> bool:
    """Tell whether a line says what chance will give."""
    return re.match(r"\s*[A-Da-d] (draws|rolls)\s*:", line) is not None


def set_chance(s: State, number: int, line: str) -> list[tuple[int, int, int]]:
    """Set the draws and rolls of a line to come next; gives what was added."""
    added = read_chance(s, number, line)
    if len(s.script) + len(added) > MAX_SCRIPTED:
        raise NotationError(f"more than {MAX_SCRIPTED} draws and rolls are set", number)
    s.script += added
    return added


def forget_chance(s: State) -> None:
    """Let the draws and rolls to come be those of the generator."""
    s.script = []


def read_chance(s: State, number: int, line: str) -> list[tuple[int, int, int]]:
    """Read `A rolls: F, Hulk@2` or `A draws: Sidekick`: what the owner of each die will roll or draw next."""
    key, _, value = line.partition(":")
    letter, _, what = key.strip().partition(" ")
    seat = seat_of(s, number, letter)
    place = HAND if what == "draws" else RESERVE
    out: list[tuple[int, int, int]] = []
    for count, item, _ in notation.split_items(s, value, seat, number):
        out += [notation.read_item(s, item, seat, place, number)] * count
    return out


def _bonus(s: State, d: int) -> tuple[int, int]:
    """Give how far A and D differ from the printed numbers, or from those the die has as a copy (rules 5.13c)."""
    _, printed_a, printed_d = characteristics.printed_numbers(s, d)
    a, de = characteristics.current_stats(s, d)
    return a - printed_a, de - printed_d


def _item_with_bonus(s: State, d: int) -> str:
    """Write a die with its attributes and the bonus it has now."""
    text = notation.item_text(s, d)
    if s.place[d] >> 2 != FIELD or not s.spec.levels[s.spec.face_base[d] + s.face[d]]:
        return text
    words = [w for w in text.partition(" (")[2].removesuffix(")").split(", ") if w and not _is_bonus(w)]
    a, de = _bonus(s, d)
    words += [" ".join(x for x in (f"{a:+d}A" if a else "", f"{de:+d}D" if de else "") if x)] if a or de else []
    return text.partition(" (")[0] + (f" ({', '.join(words)})" if words else "")


def _is_bonus(word: str) -> re.Match[str] | None:
    return re.fullmatch(r"(?:([+-][0-9]{1,3})a)?\s*(?:([+-][0-9]{1,3})d)?", word.casefold())


_ATTRIBUTE = re.compile(
    r"\d+ damage|no damage|hurt|(not )?attacking|blocked|blocking .+|fielded( last turn)?|half spent|rolled"
)

_LINES = "'A:', 'A rolls', 'A draws', 'skip to', 'show', 'may', 'may not', 'may only' or 'expect'"
_RESULTS = ("a wins", "b wins", "a and c win", "b and d win", "a tie", "tie", "unfinished")
_EXPECTATIONS = (
    "'A life: 12', 'A left over: 1', 'A field: Hulk@1, Sidekick' (or 'A field has:', with "
    f"{', '.join(PLACES)}), 'A's Hulk@1: 6/5', 'decision: A main', 'turn: A main step', 'question:', 'happened:', "
    "'happened not:' and 'result: A wins'"
)


def _is_matching_die(s: State, d: int, key: str, words: list[str], number: int) -> bool:
    parts = key.split()
    if int(parts[0]) != s.owner[d] or int(parts[1]) != s.spec.card_of[d]:
        return False
    if len(parts) > 2 and notation.written_face(s, d) not in (-1, int(parts[2])):
        return False
    text = notation.item_text(s, d).casefold()
    mine = [w.strip() for w in text.partition("(")[2].rstrip(")").split(",")]
    for word in words:
        plain = word.casefold()
        bonus = _is_bonus(plain)
        if not bonus and not _ATTRIBUTE.fullmatch(plain):
            raise NotationError(
                f"'{word}' is nothing a die can be; it can be {notation.ATTRIBUTE_TEXT}, no damage, not attacking",
                number,
            )
        if bonus:
            wanted = zip(bonus.groups(), _bonus(s, d), strict=True)
            if any(n is not None and int(n) != now for n, now in wanted):
                return False
        elif plain in ("no damage", "0 damage"):
            if s.damage[d]:
                return False
        elif plain == "blocked":
            if not s.flags[d] & BLOCKED:
                return False
        elif plain == "not attacking":
            if "attacking" in mine:
                return False
        elif plain.startswith("blocking ") and plain != "blocking nobody":
            if not set(notation.attackers_named(s, word[9:])) & set(combat_status.blocked_by(s, d)):
                return False
        elif plain not in mine:
            return False
    return True
