"""Runner of a scenario: plays its choices, scripts its dice and checks its expectations (docs/notation.md)."""

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
MAX_SCRIPTED = 2_000  # scripted draws and rolls that are still to come


class ExpectationError(AssertionError):
    """A scenario turned out differently from what it expects."""

    def __init__(self, problem: str, line: int) -> None:
        problem = problem.encode("utf-8", "replace").decode()  # untrusted text may contain lone surrogates
        super().__init__(f"line {line}: {problem}")
        self.line = line


class ScenarioRunner:
    """A game driven by the lines of a scenario."""

    def __init__(self, state: State, line_number: int, printer: Printer | None = None, *, forged: bool = False) -> None:
        self.printer = printer
        try:
            self.game = Game(state, written=True, forged=forged)
        except ScriptedDiceError as error:
            raise ExpectationError(str(error), line_number) from None
        except UnplayableError as error:
            raise NotationError(error.problem, line_number) from error
        self.answer: AnswerBuilder | None = None
        self.deferred: list[tuple[str, str, ExpectationError]] = []  # player, text, and the error if it never fits
        # move number, and forced answers since then that the scenario names
        self.accepted: tuple[int, tuple[str, ...]] = (0, ())
        self.last_written_move = 0  # number of choices made up to the last line that made one
        self.before_last_choice = self.game.began  # the state before the last choice that a line made
        self.unwritten: list[tuple[int, str]] = []  # move number and text of choices no line names

    def run_line(self, line_number: int, line: str) -> None:
        """Execute one line of the play."""
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        keyword = key.casefold()
        if keyword == "show" and not value:
            self.show()
            return
        if not colon:
            raise NotationError(f"expected 'something: ...', found '{line.strip()}'", line_number)
        if len(key) == 1 and key.upper() in describe.SEATS:
            self.choose(line_number, key.upper(), value)
            return
        self.check_all_used()
        if is_chance(line):
            self.script(line_number, line)
        elif keyword in ("may", "may not", "may only"):
            self.expect_options(line_number, keyword, [v.strip() for v in value.split(";")])
        elif keyword == "skip to":
            self.skip(line_number, value)
        elif keyword.split(None, 1)[:1] == ["expect"]:
            self.expect(line_number, key[6:].strip(), value)
        else:
            raise NotationError(f"'{key}' is not a line of a scenario; lines begin with {_LINES}", line_number)

    def finish(self, line_number: int) -> None:
        """Raise ExpectationError if a named choice or a scripted draw or roll was not used."""
        self.check_all_used()
        self.close_answer(line_number)
        s = self.game.state
        for seat in range(s.spec.n_seats):
            for kind in ("draws", "rolls"):
                unused = labels.scripted_text(s, scripted_queue(s, seat, kind))
                if unused:
                    raise ExpectationError(
                        f"{describe.SEATS[seat]}'s scripted {kind} did not happen: {unused}", line_number
                    )

    # --- choosing --------------------------------------------------------------------------------------------------

    def choose(self, line_number: int, player: str, value: str) -> None:
        """Make the choices of a line; the parts of a compound answer may come in any order."""
        seat_of(self.game.state, line_number, player)
        for text in (part.strip() for part in value.split(";")):
            before, moves = self.game.state.copy(), len(self.game.moves)
            is_made = self.choose_by_text(line_number, player, text)
            if len(self.game.moves) != moves:
                self.before_last_choice = before
            if is_made:
                self.choose_deferred()
                continue
            if self.answer is not None and self.answer.waiting:
                self.close_answer(line_number)
                if self.choose_by_text(line_number, player, text):  # closing a fully assigned split moved the game on
                    self.choose_deferred()
                    continue
            problem = ExpectationError(self.not_offered(player, text), line_number)
            decision = self.game.decision
            if decision is None or decision.player != player or decision.kind != "choose":
                raise problem
            self.deferred.append((player, text, problem))  # perhaps a target that the same ability asks for next

    def choose_by_text(self, line_number: int, player: str, text: str) -> bool:
        """Make the choice that `text` names; return False if no current choice matches."""
        try:
            return (
                self.confirm_remainder(player, text)
                or self.choose_option(line_number, player, text)
                or self.choose_part(line_number, player, text)
                or self.choose_after_answer(line_number, player, text)
                or self.accept_forced(player, text)
            )
        except ScriptedDiceError as error:
            raise ExpectationError(str(error), line_number) from None

    def confirm_remainder(self, player: str, text: str) -> bool:
        """Return whether `text` names a share that completed the last split without a question."""
        answer = self.answer
        return answer is not None and answer.player == player and answer.confirm_remainder(text)

    def choose_option(self, line_number: int, player: str, text: str) -> bool:
        """Choose a current option by its text or by a contiguous part of it; return False if none matches."""
        decision, answer = self.game.decision, self.answer
        is_decider = decision is not None and decision.player == player
        texts = [o.text for o in decision.options] if decision is not None and is_decider else []
        matches = matching.match_texts(texts, text, matching.WHOLE_TEXT_WAYS)
        if not matches and answer is not None and answer.has_ended_with(player, text):
            if answer.scripted_dice:
                answer.play_again()
            self.answer = None
            return True
        matches = matches or matching.match_texts(texts, text, matching.SUBSTRING_WAYS)
        if not matches and not any(c.match_parts(text, whole_text=True) for c in self.open_answers(player)):
            matches = matching.match_texts(texts, text)
        self.require_single(line_number, text, [texts[i] for i in matches])
        if matches:
            self.play(line_number, matches[0], texts[matches[0]])
        return bool(matches)

    def choose_part(self, line_number: int, player: str, text: str) -> bool:
        """Choose a part that the engine asks for earlier, or only after other parts; return False if none matches."""
        for answer in self.open_answers(player):
            matches = answer.match_parts(text, whole_text=True) or answer.match_parts(text)
            self.require_single(line_number, text, [part_text for _, part_text in matches])
            if matches:
                try:
                    self.add_part(line_number, answer, *matches[0])
                except ExpectationError:
                    if answer.is_open or not self.accept_forced(player, text):
                        raise
                return True
        return False

    def add_part(self, line_number: int, answer: AnswerBuilder, option: Option, text: str) -> None:
        """Add a part to a compound answer."""
        if not answer.add(option, text):
            named = "; ".join(answer.texts())
            raise ExpectationError(f"'{text}' cannot be chosen together with: {named or 'nothing'}", line_number)
        self.answer = answer
        self.last_written_move = len(self.game.moves)

    def choose_after_answer(self, line_number: int, player: str, text: str) -> bool:
        """End the current compound answer if `text` names a choice that comes after it, and make that choice."""
        if self.answer is None or not self.answer.played_parts or not self.answer.is_open:
            return False
        done = self.done_index()
        if done < 0:
            return False
        trial = self.game.copy()
        trial.play(done)
        decision = trial.decision
        if decision is None or decision.player != player:
            return False
        # a part may be legal only together with other parts of the next answer
        is_compound = DECISION_KINDS[decision.kind].mode != "one"
        if not matching.match_texts([o.text for o in decision.options], text) and not (
            is_compound and AnswerBuilder(trial).match_parts(text)
        ):
            return False
        self.close_answer(line_number)
        self.play_unwritten(done)
        return self.choose_by_text(line_number, player, text)

    def accept_forced(self, player: str, text: str) -> bool:
        """Accept `text` if it names an answer taken since the last choice because there was no other.

        Return True if it does.
        """
        move, accepted = self.accepted
        accepted = accepted if move == self.last_written_move else ()
        forced = [
            line.removeprefix(f"{player}: ")
            for line in self.game.taken(self.last_written_move)
            if line.startswith(player)
        ]
        forced += self.forced_payments(player)
        for line in accepted:
            if line in forced:
                forced.remove(line)
        options = [_as_option(line) for line in forced]
        matches = (
            matching.match_texts(forced, text)
            or matching.match_texts(options, text)
            or matching.match_texts(options, self.without_level(text, forced))
        )
        if matches:
            self.accepted = (self.last_written_move, (*accepted, forced[matches[0]]))
        return bool(matches)

    def without_level(self, text: str, forced: list[str]) -> str:
        """Return a choice without the level of its die, or "" if no die of a forced answer is or was on that level.

        Forced answers name dice without levels, which may have changed since.
        """
        match = re.search(r"@[0-9]\**", text)
        if match is None:
            return ""
        folded = text.casefold()
        for s in (self.before_last_choice, self.game.state):
            for d in range(s.spec.n_dice):
                name = describe.die_text(s, d).rstrip("*")
                if "@" in name and name.casefold() in folded and any(describe.title(s, d) in line for line in forced):
                    return text[: match.start()] + text[match.end() :]
        return ""

    def forced_payments(self, player: str) -> list[str]:
        """Return the texts of payments made since the last choice without a decision."""
        if self.answer is not None and self.answer.base.decision.kind == "pay":
            return []
        s = self.game.state.copy()
        texts: list[str] = []
        for entry in self.game.news(self.last_written_move - 1):
            if entry.kind == "pay" and entry.dice and describe.SEATS[entry.seat] == player:
                s.place[entry.dice[0]] = RESERVE << 2 | entry.seat  # its zone before it paid
                texts += describe.distinct_texts(s, [("pay", entry.dice[0], entry.amount)])
        return texts

    def choose_deferred(self) -> None:
        """Make the deferred choices that fit now; raise their error once no ability asks their player for targets."""
        for deferred in self.deferred[:]:
            player, text, problem = deferred
            decision = self.game.decision
            if decision is None or (decision.player, decision.kind) != (player, "choose"):
                raise problem
            if self.choose_by_text(problem.line, player, text):
                self.deferred.remove(deferred)

    def check_all_used(self) -> None:
        """Complete a pending split; raise ExpectationError if a deferred choice never found its question."""
        if self.deferred:
            raise self.deferred[0][2]
        self.complete_split()

    def complete_split(self) -> None:
        """Complete a split whose damage has all been assigned."""
        if self.answer is not None and self.answer.waiting:
            self.answer.fill_zeros()
            self.last_written_move = len(self.game.moves)

    def open_answers(self, player: str) -> list[AnswerBuilder]:
        """Return the player's compound answers that a part could belong to.

        These are a new one for the pending decision, unless it is already being answered, and the latest one, unless
        another choice has followed it.
        """
        current = self.answer if self.answer is not None and self.answer.is_current else None
        decision = self.game.decision
        answers: list[AnswerBuilder] = []
        if (
            decision is not None
            and DECISION_KINDS[decision.kind].mode != "one"
            and not (current is not None and current.is_open)
        ):
            answers.append(AnswerBuilder(self.game))
        if current is not None:
            answers.append(current)
        return [answer for answer in answers if answer.player == player]

    def play(self, line_number: int, index: int, text: str) -> None:
        """Play an option the game offers."""
        s = self.game.state
        option, answer = s.options[index], self.answer
        if option[0] in PARTS and DECISION_KINDS[s.decision.kind].mode != "one":
            if answer is not None and answer.waiting and answer.is_open:
                self.add_part(line_number, answer, answer.with_unused_dice(option), text)
                return
            if answer is None or not answer.is_open:
                self.close_answer(line_number)
                answer = AnswerBuilder(self.game)
            answer.play(index)
            self.answer = answer
        else:
            self.close_answer(line_number)
            self.game.play(index)
        self.last_written_move = len(self.game.moves)

    def close_answer(self, line_number: int) -> None:
        """End the current compound answer; raise ExpectationError if a named part could not be played."""
        self.complete_split()
        if self.answer is not None and self.answer.waiting:
            text = self.answer.waiting[0][1]
            offered = "; ".join(describe.option_texts(self.game.state))
            raise ExpectationError(f"'{text}' cannot be chosen without one of these: {offered}", line_number)
        self.answer = None

    def done_index(self) -> int:
        return next((i for i, o in enumerate(self.game.state.options) if o[0] == "done"), -1)

    def play_unwritten(self, index: int) -> None:
        """Play an option that no line of the scenario names."""
        player = describe.seat_name(self.game.state.decision.seat)
        text = describe.option_texts(self.game.state)[index]
        self.game.play(index)
        self.unwritten.append((len(self.game.moves), f"{player}: {text}"))

    @staticmethod
    def require_single(line_number: int, text: str, matches: list[str]) -> None:
        if len(matches) > 1:
            raise ExpectationError(f"'{text}' fits more than one option: {'; '.join(matches)}", line_number)

    def not_offered(self, player: str, text: str) -> str:
        """Return why a text cannot be chosen, with the pending decision, its options and the choices made meanwhile."""
        decision = self.game.decision
        if decision is None:
            return f"the game is over{self.forced_since_last_line()}"
        if decision.player != player:
            return f"it is {decision.player}'s decision ({decision.question}), not {player}'s{self.forced_since_last_line()}"
        offered = f"{player} may: {'; '.join(self.offered())}{self.remaining_options(player)}"
        return f"'{text}' is not an option; {offered}{self.forced_since_last_line()}"

    def remaining_options(self, player: str) -> str:
        """Return a clause with the parts that can still be added to a completed answer, or ""."""
        ended = self.ended_answer()
        more = [text for _, text in ended.parts()] if ended is not None and ended.player == player else []
        return (
            f", or in addition to {'; '.join(ended.texts())}: {'; '.join(more)}" if ended is not None and more else ""
        )

    def forced_since_last_line(self) -> str:
        """Return a clause with the choices made since the last line without being written, or ""."""
        made = [(self.last_written_move, text) for text in self.game.taken(self.last_written_move)]
        made += [(move, text) for move, text in self.unwritten if move > self.last_written_move]
        texts = [text for _, text in sorted(made, key=lambda x: x[0])]
        ellipsis = "... " if len(texts) > _MAX_REPORTED else ""
        return f"; taken meanwhile: {ellipsis}{', '.join(texts[-_MAX_REPORTED:])}" if texts else ""

    def skip(self, line_number: int, goal: str) -> None:
        """Pass and decline until the named decision; of several waiting effects, the first is resolved."""
        if goal != "none":
            self.check_decision_text(line_number, goal)
        self.close_answer(line_number)
        for _ in range(_MAX_SKIPPED):
            decision = self.game.decision
            if decision is None and goal == "none":
                return
            if decision is None:
                raise ExpectationError(f"the game ended before '{goal}'", line_number)
            if f"{decision.player} {decision.kind}" == goal:
                return
            texts = [o.text for o in decision.options]
            index = 0 if decision.kind == "resolve" else next((texts.index(t) for t in _SKIP if t in texts), -1)
            if index < 0:
                raise ExpectationError(
                    f"cannot skip {decision.player}'s decision ({decision.kind}): {decision.question}", line_number
                )
            try:
                self.play_unwritten(index)
            except ScriptedDiceError as error:
                raise ExpectationError(str(error), line_number) from None
        raise ExpectationError(f"'{goal}' is not reached", line_number)

    def script(self, line_number: int, line: str) -> None:
        added = set_chance(self.game.state, line_number, line)
        if self.answer is not None:
            self.answer.scripted_dice += added

    # --- showing ---------------------------------------------------------------------------------------------------

    def offered(self, *, at_once: bool = False) -> list[str]:
        """Return the texts of everything that can be named now, in any order, even if legal only together with others.

        With `at_once`, return what can be chosen without naming anything else; for a split, only the current options.
        """
        decision = self.game.decision
        if decision is None:
            return []
        texts = [o.text for o in decision.options]
        for answer in self.open_answers(decision.player):
            if answer.is_open and not (at_once and DECISION_KINDS[decision.kind].mode == "split"):
                texts += [text for _, text in answer.parts(at_once=at_once) if text not in texts]
        return texts

    def ended_answer(self) -> AnswerBuilder | None:
        """Return the answer that the engine has completed and that parts can still be added to."""
        answer = self.answer
        return answer if answer is not None and answer.is_current and not answer.is_open else None

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

    # --- expectations ----------------------------------------------------------------------------------------------

    def expect_options(self, line_number: int, keyword: str, wanted: list[str]) -> None:
        """Check `may`, `may not` and `may only` lines."""
        decision = self.game.decision
        if not all(wanted):
            raise NotationError(f"'{keyword}:' must name an option", line_number)
        texts = self.offered(at_once=keyword == "may only")
        ended = self.ended_answer() if keyword != "may only" else None
        addable = [text for _, text in ended.parts()] if ended is not None else []
        for text in wanted:
            is_offered = any(matching.contains_part(option_text, text) for option_text in texts)
            if (
                ended is not None
                and not is_offered
                and any(matching.contains_part(option_text, text) for option_text in addable)
            ):
                if keyword == "may not":
                    named = "; ".join(ended.texts())
                    raise ExpectationError(
                        f"{ended.player} may '{text}' in addition to what was named: {named}", line_number
                    )
            elif is_offered == (keyword == "may not"):
                verb = "may" if is_offered else "may not"
                player = decision.player if decision else "nobody"
                raise ExpectationError(f"{player} {verb} '{text}'; the options are: {'; '.join(texts)}", line_number)
            if keyword == "may not":
                self.check_vocabulary(line_number, text, log=False)
                self.check_owner(line_number, text, texts, decision.player if decision else "")
                self.check_word_order(line_number, text, texts, decision.player if decision else "", log=False)
        if keyword == "may only":
            extra = [
                option_text
                for option_text in texts
                if not any(matching.contains_part(option_text, wanted_text) for wanted_text in wanted)
            ]
            if extra:
                raise ExpectationError(f"also possible: {'; '.join(extra)}", line_number)

    def check_vocabulary(self, line_number: int, text: str, *, log: bool) -> None:
        """Raise NotationError for a word that no option or log line of this game can contain."""
        unknown_words = matching.unknown_words(self.game.table, text, log=log)
        if unknown_words:
            where = "line of the log" if log else "option"
            raise NotationError(
                f"'{text}' can never match: no {where} in this game has the word '{unknown_words[0]}'", line_number
            )

    def check_owner(self, line_number: int, text: str, lines: list[str], owners: str) -> None:
        """Raise NotationError if a denied text names an impossible owner, or an owner where the game never writes one.

        A's own option is `attack with Hulk@1`, so denying `attack with A's Hulk@1` would check nothing.
        """
        impossible = templates.impossible_owner(self.game.table, text)
        if impossible:
            raise NotationError(f"'{text}' can never match: there is no '{impossible}' in this game", line_number)
        bare = matching.strip_owners(text, owners)
        for line in lines if bare != text else ():
            if line == matching.strip_owners(line, describe.SEATS) and matching.contains_part(line, bare):
                raise NotationError(f"'{text}' can never match, because '{line}' does not name an owner", line_number)

    def check_decision_text(self, line_number: int, text: str) -> None:
        """Raise NotationError unless the text is a seat and a kind of decision."""
        player, _, kind = text.partition(" ")
        if player not in describe.SEATS[: self.game.table.n_seats] or kind not in DECISION_KINDS:
            raise NotationError(
                f"'{text}' is not a decision; write 'A main' with one of these kinds: {', '.join(DECISION_KINDS)}",
                line_number,
            )

    def expect(self, line_number: int, subject: str, value: str) -> None:
        """Check one `expect` line."""
        s = self.game.state
        folded = subject.casefold()
        decision = self.game.decision
        if not value:
            raise NotationError(
                f"'expect {subject}:' has no value; write 'nothing' for a zone without dice", line_number
            )
        if folded == "result":
            actual = describe.result_text(s).rstrip(".") or "unfinished"
            wanted = value.casefold()
            if not any(end.startswith(wanted) or wanted.startswith(end) for end in _RESULTS):
                raise NotationError(f"'{value}' is not a result; results are {', '.join(_RESULTS)}", line_number)
            if not actual.casefold().startswith("a tie" if wanted == "tie" else wanted):
                raise ExpectationError(f"expected the result '{value}', it is '{actual}'", line_number)
        elif folded == "decision":
            actual = "none" if decision is None else f"{decision.player} {decision.kind}"
            if actual != value:
                if value != "none":
                    self.check_decision_text(line_number, value)
                raise ExpectationError(
                    f"expected the decision '{value}', it is '{actual}'{self.forced_since_last_line()}", line_number
                )
        elif folded == "question":
            actual = "none" if decision is None else decision.question
            if actual != value:
                raise ExpectationError(f"expected the question '{value}', it is '{actual}'", line_number)
        elif folded == "turn":
            actual = f"{describe.side_name(s, s.active)} {describe.step_text(s)}"
            if not actual.startswith(value):
                raise ExpectationError(f"expected the turn '{value}', it is '{actual}'", line_number)
        elif folded in ("happened", "happened not"):
            self.expect_log(line_number, [v.strip() for v in value.split(";")], folded == "happened")
        elif points_match := re.fullmatch(r"([a-d]) (life|left over)", folded):
            seat = seat_of(s, line_number, points_match[1])
            now = s.life[seat & 1] if points_match[2] == "life" else s.virtual_energy[seat]
            if not notation.is_number(value, 3):
                raise NotationError(f"'expect {subject}' needs a number, found '{value}'", line_number)
            if now != int(value):
                raise ExpectationError(f"expected {subject} {value}, it is {now}", line_number)
        elif (zone_match := re.fullmatch(r"([a-d]) (\w+)( has)?", folded)) and zone_match[2] in PLACES:
            seat = seat_of(s, line_number, zone_match[1])
            self.expect_zone(line_number, seat, zone_match[2], value, bool(zone_match[3]))
        else:
            self.expect_stats(line_number, subject, value)

    def expect_log(self, line_number: int, wanted: list[str], expected: bool) -> None:
        """Check that log lines since the last choice contain each text, in this order, or none of them."""
        lines: list[str] = []
        for line in reversed(self.game.log):
            if not line.startswith(" "):
                break
            lines.insert(0, line.strip())
        remaining = lines
        if expected and wanted == ["nothing"] and not lines:
            return
        for text in wanted:
            index = next((i for i, line in enumerate(remaining) if matching.contains_in_order(line, text)), -1)
            if (index >= 0) != expected:
                problem = "it did not happen, or not in this order" if expected else "it did happen"
                raise ExpectationError(
                    f"'{text}': {problem}; what happened: {'; '.join(lines) or 'nothing'}", line_number
                )
            if expected:
                remaining = remaining[index + 1 :]
            else:
                self.check_vocabulary(line_number, text, log=True)
                self.check_owner(line_number, text, lines, describe.SEATS)
                self.check_word_order(line_number, text, lines, "", log=True)

    def check_word_order(self, line_number: int, text: str, lines: list[str], player: str, *, log: bool) -> None:
        """Raise NotationError if a denied text can never occur: its words in another order, or a level no die has."""
        for line in lines:
            if matching.contains_words(line, text):
                raise NotationError(f"'{text}' can never match; its words occur in this order: '{line}'", line_number)
        if not templates.could_ever_match(self.game.table, text, log=log, player=player):
            where = "line of the log" if log else f"option of {player}'s" if player else "option"
            raise NotationError(f"'{text}' can never match: no {where} in this game has this wording", line_number)

    def expect_zone(self, line_number: int, seat: int, name: str, value: str, partly: bool) -> None:
        """Check the dice in a zone; with `partly`, other dice may be there too."""
        s = self.game.state
        place = PLACES[name]
        dice = s.dice_in(place, seat)
        wanted: list[tuple[str, list[str]]] = []
        listed = notation.strip_exactly(value)
        if partly and listed.casefold() in EMPTY_TEXTS:
            raise NotationError(
                f"'has' needs dice; 'expect {describe.SEATS[seat]} {name}: nothing' is for an empty zone", line_number
            )
        if listed.casefold() not in EMPTY_TEXTS:
            for count, item, attributes in notation.split_items(s, listed, seat, line_number):
                owner, card, face = notation.read_item(s, item, seat, place, line_number)
                key = f"{owner} {card} {face}" if face >= 0 else f"{owner} {card}"
                wanted += [(key, attributes)] * count
        wanted.sort(key=lambda x: (len(x[0].split()), len(x[1])), reverse=True)  # most specific first
        unmatched = list(dice)
        for key, attributes in wanted:
            die = next((d for d in unmatched if _is_matching_die(s, d, key, attributes, line_number)), None)
            if die is None:
                break
            unmatched.remove(die)
        else:
            if partly or not unmatched:
                return
        counts = Counter(_item_with_bonus(s, d) for d in dice)
        text = ", ".join(f"{n} {x}" if n > 1 else x for x, n in counts.items()) or "nothing"
        letter = describe.SEATS[seat]
        raise ExpectationError(
            f"expected {letter} {name}{' to have' if partly else ''}: {value}; it is: {text}", line_number
        )

    def expect_stats(self, line_number: int, subject: str, value: str) -> None:
        """Check A and D of the matching dice in the field: `6/5` for all of them, `6/5, 7/6` for one each."""
        s = self.game.state
        match = re.fullmatch(r"([A-D])'s (.+)", subject)
        if not match or not re.fullmatch(r"\d+/\d+(, *\d+/\d+)*", value):
            raise NotationError(
                f"'expect {subject}: {value}' is not an expectation; expectations are {_EXPECTATIONS}", line_number
            )
        owner = seat_of(s, line_number, match[1])
        wanted = match[2].casefold()
        dice: list[int] = []
        for d in (d for seat in range(s.spec.n_seats) for d in s.dice_in(FIELD, seat)):
            text = describe.die_text(s, d).casefold()
            die_owner = s.place[d] & 3 if s.owner[d] == NOBODY else s.owner[d]
            if die_owner == owner and wanted in (text, text.rstrip("*"), describe.title(s, d).casefold()):
                dice.append(d)
        if not dice:
            raise ExpectationError(f"{subject} is not in the field", line_number)
        actual = sorted("{}/{}".format(*characteristics.current_stats(s, d)) for d in dice)
        values = sorted(v.strip() for v in value.split(","))
        if actual != (values if len(values) > 1 else values * len(dice)):
            raise ExpectationError(f"expected {subject} to be {value}, it is {', '.join(actual)}", line_number)


def seat_of(s: State, line_number: int, letter: str) -> int:
    """Return the seat of a letter; raise NotationError if the game has no such player."""
    seat = describe.SEATS.index(letter.upper())
    if seat >= s.spec.n_seats:
        raise NotationError(f"there is no player {letter.upper()}", line_number)
    return seat


def is_chance(line: str) -> bool:
    """Return True if a line scripts draws or rolls."""
    return re.match(r"\s*[A-Da-d] (draws|rolls)\s*:", line) is not None


def set_chance(s: State, line_number: int, line: str) -> list[tuple[int, int, int]]:
    """Append the scripted draws and rolls of a line to the script and return them."""
    added = read_chance(s, line_number, line)
    if len(s.script) + len(added) > MAX_SCRIPTED:
        raise NotationError(f"more than {MAX_SCRIPTED} draws and rolls are scripted", line_number)
    s.script += added
    return added


def forget_chance(s: State) -> None:
    """Clear the script, so that the generator decides."""
    s.script = []


def read_chance(s: State, line_number: int, line: str) -> list[tuple[int, int, int]]:
    """Return the draws or rolls of a line such as `A rolls: F, Hulk@2` as (owner, card, face)."""
    key, _, value = line.partition(":")
    letter, _, kind = key.strip().partition(" ")
    seat = seat_of(s, line_number, letter)
    place = HAND if kind == "draws" else RESERVE
    dice: list[tuple[int, int, int]] = []
    for count, item, _ in notation.split_items(s, value, seat, line_number):
        dice += [notation.read_item(s, item, seat, place, line_number)] * count
    return dice


def _bonus(s: State, d: int) -> tuple[int, int]:
    """Return how A and D differ from the printed numbers, or from those the die has as a copy (rules 5.13c1)."""
    _, printed_a, printed_d = characteristics.printed_numbers(s, d)
    a, de = characteristics.current_stats(s, d)
    return a - printed_a, de - printed_d


def _item_with_bonus(s: State, d: int) -> str:
    """Return the text of a die with its attributes and its current total bonus."""
    text = notation.item_text(s, d)
    if s.place[d] >> 2 != FIELD or not s.spec.levels[s.spec.face_base[d] + s.face[d]]:
        return text
    attributes = [w for w in text.partition(" (")[2].removesuffix(")").split(", ") if w and not _is_bonus(w)]
    a, de = _bonus(s, d)
    attributes += [" ".join(x for x in (f"{a:+d}A" if a else "", f"{de:+d}D" if de else "") if x)] if a or de else []
    return text.partition(" (")[0] + (f" ({', '.join(attributes)})" if attributes else "")


def _is_bonus(attribute: str) -> re.Match[str] | None:
    return re.fullmatch(r"(?:([+-][0-9]{1,3})a)?\s*(?:([+-][0-9]{1,3})d)?", attribute.casefold())


def _as_option(forced: str) -> str:
    """Return a forced answer worded like an option: `spin A's Iceman up` for `spin up A's Iceman`."""
    return re.sub(r"^spin (up|down) (.+)", r"spin \2 \1", forced)


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


def _is_matching_die(s: State, d: int, key: str, attributes: list[str], line_number: int) -> bool:
    parts = key.split()
    if int(parts[0]) != s.owner[d] or int(parts[1]) != s.spec.card_of[d]:
        return False
    if len(parts) > 2 and notation.written_face(s, d) not in (-1, int(parts[2])):
        return False
    text = notation.item_text(s, d).casefold()
    actual = [w.strip() for w in text.partition("(")[2].rstrip(")").split(",")]
    for attribute in attributes:
        folded = attribute.casefold()
        bonus = _is_bonus(folded)
        if not bonus and not _ATTRIBUTE.fullmatch(folded):
            raise NotationError(
                f"'{attribute}' is not an attribute of a die; attributes are {notation.ATTRIBUTE_TEXT}, no damage, not attacking",
                line_number,
            )
        if bonus:
            wanted = zip(bonus.groups(), _bonus(s, d), strict=True)
            if any(n is not None and int(n) != current for n, current in wanted):
                return False
        elif folded in ("no damage", "0 damage"):
            if s.damage[d]:
                return False
        elif folded == "blocked":
            if not s.flags[d] & BLOCKED:
                return False
        elif folded == "not attacking":
            if "attacking" in actual:
                return False
        elif folded.startswith("blocking ") and folded != "blocking nobody":
            if not set(notation.attackers_named(s, attribute[9:])) & set(combat_status.blocked_by(s, d)):
                return False
        elif folded not in actual:
            return False
    return True
