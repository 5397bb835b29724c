"""Studies of games with random teams, and the pages that show their results."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicemasters.lab.studies import card_studies
from dicemasters.lab.studies.card_studies import (
    BEGIN,
    END,
    StudyTable,
    TableResult,
    card_results,
    main,
    play_table,
    replace_section,
)
from dicemasters.teams.formats import DEFAULT_FORMAT
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.ready_teams import ready_teams


def test_study_table_is_reproducible_and_plays_its_random_teams() -> None:
    result = play_table(StudyTable(6, "level2"))
    assert play_table(StudyTable(6, "level2")) == result
    assert result.share * 4 % 0.5 == 0
    for seat in range(2):
        team = random_team(DEFAULT_FORMAT, 2 * (card_studies.SEED_OFFSET + 6) + seat)
        assert result.teams[seat] == tuple(card.key for card in (*(card for card, _ in team.cards), *team.basics))
        assert max(result.bought[seat]) > 0


def test_card_result_averages_the_teams_with_the_card() -> None:
    one = TableResult("ai", 0.75, 0.5, (("avx1", "avx2"), ("avx3",)), ((4, 0), (2,)))
    other = TableResult("ai", 0.25, 0.5, (("avx3",), ("avx1",)), ((0,), (4,)))
    first, second = card_results([one, other])
    assert (first.card.key, first.won.share, first.won.margin, first.bought) == ("avx1", 0.75, 0, 1)
    assert (second.card.key, second.won.share, second.bought) == ("avx3", 0.25, 0.25)


def test_section_between_the_marks_is_replaced() -> None:
    page = f"Before.\n\n{BEGIN.format('first')}\nold\n{END}\n\nAfter.\n"
    assert replace_section(page, "first", ["new"]) == f"Before.\n\n{BEGIN.format('first')}\n\nnew\n\n{END}\n\nAfter.\n"
    assert replace_section(replace_section(page, "first", ["new"]), "first", ["new"]) == replace_section(
        page, "first", ["new"]
    )
    with pytest.raises(ValueError, match="lacks the marks for the table"):
        replace_section(page, "cards", [])


@pytest.mark.parametrize("study", ["cards", "first", "teams"])
def test_study_writes_its_page_and_pictures(study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = TableResult("ai", 0.75, 0.5, (("avx1", "avx2"), ("avx3",)), ((4, 0), (2,)))
    monkeypatch.setattr(card_studies, "play_tables", lambda *_: [result, result])
    few = {name: ready_teams()[name] for name in ("green-rage", "stonewall")}
    monkeypatch.setattr(card_studies, "ready_teams", lambda: few)
    words = [study, "--games", "2", "--write", str(tmp_path)]
    page = tmp_path / f"{study}.md"
    page.write_text(f"{BEGIN.format(' '.join(words))}\n{END}\n")
    assert main([*words, "--workers", "1"]) == 0
    assert page.read_text().count("\n|") >= 3
    assert all(file.read_text().startswith("<?xml") for file in tmp_path.glob("*.svg"))
    assert list(tmp_path.glob("*.svg"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["first", "--write", "{folder}/none"], "none/first.md: No such file or directory"),
        (["first", "--write", "{folder}"], "the page lacks the marks for the table"),
        (["teams", "--write", "{folder}"], "at least two tables, and at least one game"),
        (["first", "--player", "nobody", "--write", "{folder}"], "there is no player 'nobody'"),
    ],
)
def test_invalid_study_arguments_print_one_line(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [word.format(folder=tmp_path) for word in words] + ["--tables", "1"]
    (tmp_path / "first.md").write_text("nothing\n")
    (tmp_path / "teams.md").write_text(f"{BEGIN.format(' '.join(argv))}\n{END}\n")
    with pytest.raises(SystemExit) as error:
        main(argv)
    assert error.value.code == 2
    assert message in capsys.readouterr().err.splitlines()[-1]
