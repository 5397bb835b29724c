"""Lessons: the expected choices play each lesson to its end, and every other choice gets a reason."""

import io
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

import pytest
from rich.console import Console

from dicemasters.cli.main import main
from dicemasters.game import Game
from dicemasters.game.notation import NotationError
from dicemasters.game.state.constants import UNDECIDED
from dicemasters.lessons.lesson_file import Lesson, lessons, read_lesson
from dicemasters.lessons.lesson_session import (
    LessonMoment,
    check_lesson,
    expected_choice,
    game_at,
    games_to,
    next_moment,
)
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.service.lesson_views import (
    LessonNotFoundError,
    answer_lesson_choice,
    build_lesson_moment,
    build_lessons,
)
from dicemasters.service.protocol.game_schema import View
from dicemasters.terminal.lesson_ui import TerminalLesson
from dicemasters.terminal.puzzle_ui import TerminalPuzzle

LESSONS = list(lessons().values())
MOST_TRIED = 70  # choices per moment


def moments(lesson: Lesson) -> Iterator[LessonMoment]:
    """Yield the moments of a lesson along its expected choices."""
    moment: LessonMoment | None = LessonMoment(0, 0)
    while moment is not None:
        yield moment
        moment = next_moment(lesson, moment)


def choices(view: View) -> Iterator[dict[str, Any]]:
    """Yield the answers a browser could give: every option; for dice, every set; for pairs, none and each alone."""
    decision = view["decision"]
    assert decision is not None
    options = decision["options"]
    for option in options:
        if option["number"] is not None and (decision["mode"] == "one" or option["what"] in ("done", "pass", "none")):
            yield {"option": option["number"]}
    if decision["mode"] == "many":
        dice = sorted({d for option in options for d in option["dice"]})
        yield from (
            {"dice": list(some)} for some in chain.from_iterable(combinations(dice, n) for n in range(len(dice) + 1))
        )
    if decision["mode"] == "blocks":
        yield {"blocks": []}
        yield from ({"blocks": [[b, a]]} for o in options for b in o["dice"] for a in o.get("attackers", []))
    if decision["mode"] == "spend":
        total = decision["total"]
        yield from ({"spend": [[o["dice"][0], total]]} for o in options if o["dice"])
    if decision["mode"] == "split":
        yield from ({"split": [[o["dice"][0], decision["total"]]]} for o in options if o["dice"])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_expected_choices_play_a_lesson_to_its_end(lesson: Lesson) -> None:
    check_lesson(lesson)
    for moment in moments(lesson):
        data = build_lesson_moment(lesson.key, *moment)
        assert data["say"]
        if data["answer"] is None:
            continue
        answered = answer_lesson_choice(lesson.key, *moment, data["answer"])
        assert answered["right"], (moment, answered["reason"])
        assert answered["views"]
        following = next_moment(lesson, moment)
        assert answered["next"] == (
            None if following is None else {"step": following.step, "done": following.choices_made}
        )


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_every_unexpected_choice_gets_a_reason(lesson: Lesson) -> None:
    for moment in moments(lesson):
        if expected_choice(lesson, moment) is None:
            continue
        data = build_lesson_moment(lesson.key, *moment)
        tried = list(choices(data["view"]))[:MOST_TRIED]
        answers = [answer_lesson_choice(lesson.key, *moment, choice) for choice in tried]
        assert any(answer["right"] for answer in answers), moment
        for answer in answers:
            assert answer["right"] or 5 < len(answer["reason"]) <= 200


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_every_written_reason_is_used(lesson: Lesson) -> None:
    for moment in moments(lesson):
        act = expected_choice(lesson, moment)
        if act is None:
            continue
        view = build_lesson_moment(lesson.key, *moment)["view"]
        given = {answer_lesson_choice(lesson.key, *moment, choice)["reason"] for choice in choices(view)}
        unused = [wrong.reason for wrong in act.wrong if wrong.choice_text and wrong.reason not in given]
        assert unused == [], f"line {act.line}"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_no_scripted_roll_remains_unused(lesson: Lesson) -> None:
    for i, step in enumerate(lesson.steps):
        ends = i + 1 == len(lesson.steps) or lesson.steps[i + 1].position
        if ends:
            assert game_at(lesson, LessonMoment(i, step.choice_count)).state.script == []


def test_first_lesson_teaches_a_whole_game() -> None:
    first = LESSONS[0]
    assert 9 <= len(first.steps) <= 12
    kinds = {game_at(first, m).state.decision.kind for m in moments(first) if expected_choice(first, m)}
    assert {"reroll", "main", "pay", "may", "choose", "attack", "block", "respond", "fight"} <= kinds
    last = games_to(first, LessonMoment(len(first.steps) - 1, first.steps[-1].choice_count))[-1]
    assert last.state.result != UNDECIDED
    assert str(last.result).startswith("A wins")


def test_script_plays_in_its_lesson_as_in_a_game() -> None:
    lesson = lessons()["scripted-opponent"]
    script = ScriptedPlayer()
    acts = [(i, act) for i, step in enumerate(lesson.steps) for act in step.actions if act.player == "B"]
    assert acts
    for i, act in acts:
        position = "\n".join(line for _, line in lesson.steps[i].position)
        game = Game.from_text(position)
        for part in act.parts:
            assert game.find(part) == script.explain(game.state).option
            game.play(part)


def test_scripted_opponent_lesson_shows_the_rule_behind_a_choice() -> None:
    assert [build_lesson_moment("scripted-opponent", step, 0)["view"]["why"] is not None for step in range(4)] == [
        False,
        False,
        True,
        True,
    ]
    why = build_lesson_moment("scripted-opponent", 3, 0)["view"]["why"]
    assert why is not None
    assert why["rule"] == "S23"


def test_coach_texts_fit_the_position() -> None:
    """The coach names the goal in the first step and announces nothing that has already happened."""
    assert "10 life to 0" in lessons()["first-game"].steps[0].say
    last = build_lesson_moment("pairing", 2, 0)
    assert last["view"]["life"]["B"] == 3
    assert "hit her for 7" in last["say"]
    assert [one["zone"] for one in last["show"]] == ["life"]


def test_lessons_are_listed_in_order() -> None:
    assert build_lessons()["lessons"][0]["key"] == "first-game"
    assert all(len(data["about"]) < 120 for data in build_lessons()["lessons"])


@pytest.mark.parametrize(("key", "step", "done"), [("nothing", 0, 0), ("first-game", 99, 0), ("first-game", 0, 9)])
def test_unknown_lesson_step_or_choice_is_refused(key: str, step: int, done: int) -> None:
    with pytest.raises(LessonNotFoundError):
        build_lesson_moment(key, step, done)


@pytest.mark.parametrize("choice", [None, {}, {"option": 99}, {"dice": [999]}, {"dice": "x"}, {"spend": []}, 7])
def test_invalid_choice_is_answered_with_a_sentence(choice: object) -> None:
    answer = answer_lesson_choice("first-game", 0, 0, choice)
    assert not answer["right"]
    assert answer["reason"].endswith(".")


HEAD = "lesson: L\nabout: Something.\n"
STEP = "step: One\nedition: ai\nA field: Sidekick\nturn: 3, A, declare\nsay: Attack.\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "lacks 'lesson: ...'"),
        ("lesson: L\n", "lacks 'about: ...'"),
        (HEAD, "the lesson has no step"),
        ("what: is it\n", "line 1: before its first step"),
        ("lesson: L\nlesson: L\n", "line 2: 'lesson' is given twice"),
        ("lesson: " + "x" * 50, "line 1: a title has 1 to 40 characters"),
        (HEAD + "about it\n", "line 3: expected 'something: ...'"),
        (HEAD + "step: One\nsay: Hello.\n", "line 3: the first step needs a position"),
        (HEAD + "step: One\nedition: ai\n", "line 3: the coach says nothing"),
        (HEAD + STEP + "say: Again.\n", "line 8: 'say' is given twice"),
        (HEAD + "step: One\nsay: One. Two. Three.\n", "line 4: the coach says at most 2 sentences"),
        (HEAD + "step: One\nsay: " + "x" * 300, "line 4: the coach says 1 to 200 characters"),
        (HEAD + STEP + "show: the moon\n", "line 8: 'the moon' cannot be shown"),
        (HEAD + STEP + "wrong: No.\n", "line 8: a reason must follow a choice"),
        (HEAD + STEP + "A: no attack\n", "line 8: no reason is given"),
        (HEAD + STEP + "A:\n", "line 8: nothing is chosen"),
        (HEAD + STEP + "A: no attack\nwrong: No.\nB field: Sidekick\n", "line 10: 'b field' comes after a choice"),
        (HEAD + STEP + "then: Go on.\n", "line 8: 'then' must follow a choice"),
        (HEAD + STEP + "A: no attack\nwrong: No.\nthen: Go on.\n", "line 10: no choice of A follows"),
        (HEAD + "step: One\n" * 50, "there are more than 40 steps"),
    ],
)
def test_lesson_file_errors_name_their_line(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem.replace("(", r"\(")):
        read_lesson(text)


def test_coach_text_changes_before_a_later_choice() -> None:
    rest = "A: a\nwrong: No.\nthen: Now b.\nB: x\nA: b\nwrong: No.\nA: c\nwrong: No.\n"
    step = read_lesson(HEAD + STEP + rest).steps[0]
    assert [step.coach_text(done) for done in range(4)] == ["Attack.", "Now b.", "Now b.", "Now b."]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (STEP + "A: fly\nwrong: No.\n", "line 8: 'fly' is not an option"),
        (STEP + "B: no attack\n", "line 8: it is not B's choice"),
        (STEP + "show: card Hulk\n", "line 8: 'Hulk' is not a card of this game"),
        (STEP + "show: dice Hulk\n", "line 8: no die"),
        (STEP.replace("Sidekick", "Sidekik"), "line 5"),
        (STEP.replace("A field: Sidekick", "A field: Sidekick\nA draws: Hulk"), "line 6"),
        (
            STEP.replace("A field", "B field").replace("3, A", "3, B") + "A: no block\nwrong: No.\n",
            "line 8: it is not A's choice",
        ),
    ],
)
def test_unplayable_lesson_names_its_line(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        check_lesson(read_lesson(HEAD + text))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_lesson_can_be_completed_in_the_terminal(lesson: Lesson) -> None:
    answers = []
    for moment in moments(lesson):
        act = expected_choice(lesson, moment)
        game = game_at(lesson, moment)
        for part in act.parts if act is not None else ():
            game.play(part)
            answers.append(game.moves[-1].text)
        answers += [""] if act is None else []
    console = Console(file=io.StringIO(), width=100, height=60)

    def read(prompt: str) -> str:
        question = terminal.question if terminal.game.decision is not None else None
        if question is not None and question.picked and answers[0] not in [a.text for a in question.answers]:
            return question.answers[-1].text  # the engine ends this question automatically, a person answers it
        return answers.pop(0)

    terminal = TerminalLesson(lesson, console, read)
    assert terminal.run() == 0
    out = console.file.getvalue()  # type: ignore[attr-defined]
    assert "The lesson is over." in out
    assert not answers
    assert all(step.title in out for step in lesson.steps)


def test_wrong_answer_in_the_terminal_gets_its_reason() -> None:
    answers = iter(["keep all", "1 2 3 4", "undo", "quit"])
    console = Console(file=io.StringIO(), width=100, height=60)
    TerminalLesson(LESSONS[0], console, lambda _: next(answers)).run()
    out = console.file.getvalue()  # type: ignore[attr-defined]
    assert "The mask and the bolt buy nothing here." in out
    assert "'undo' is neither an answer nor a command" in out


def test_lesson_command_lists_lessons_and_refuses_unknown_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson"]) == 0
    assert "first-game" in capsys.readouterr().out
    assert main(["lesson", "first-game", "--step", "99"]) == 2
    assert "has steps 1 to 11, not 99" in capsys.readouterr().err


def test_lesson_list_breaks_lines_between_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as in a terminal
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["lesson"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert f"{' ' * 19}game in eleven short steps." in lines


def test_help_of_lessons_and_puzzles_lists_only_available_commands() -> None:
    for ui in (TerminalLesson, TerminalPuzzle):
        lines = [line for line in ui.help.splitlines() if line.startswith("  ")]
        words = {line.split()[0] for line in lines}
        assert "show" in words
        assert not words & {"undo", "hold", "load", "save", "row", "coach"}
