"""Studies: what games at random tables come to, and where it is written."""

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


def test_a_table_is_played_with_each_side_beginning() -> None:
    seen = play_table(StudyTable(6, "level2"))
    assert play_table(StudyTable(6, "level2")) == seen
    assert seen.share * 4 % 0.5 == 0
    for seat in range(2):
        team = random_team(DEFAULT_FORMAT, 2 * (card_studies.SEED_OFFSET + 6) + seat)
        assert seen.teams[seat] == tuple(card.key for card in (*(card for card, _ in team.cards), *team.basics))
        assert max(seen.bought[seat]) > 0


def test_a_card_is_worth_what_teams_with_it_win() -> None:
    one = TableResult("ai", 0.75, 0.5, (("avx1", "avx2"), ("avx3",)), ((4, 0), (2,)))
    other = TableResult("ai", 0.25, 0.5, (("avx3",), ("avx1",)), ((0,), (4,)))
    first, second = card_results([one, other])
    assert (first.card.key, first.won.share, first.won.margin, first.bought) == ("avx1", 0.75, 0, 1)
    assert (second.card.key, second.won.share, second.bought) == ("avx3", 0.25, 0.25)


def test_what_is_found_goes_between_the_marks() -> None:
    page = f"Before.\n\n{BEGIN.format('first')}\nold\n{END}\n\nAfter.\n"
    assert replace_section(page, "first", ["new"]) == f"Before.\n\n{BEGIN.format('first')}\n\nnew\n\n{END}\n\nAfter.\n"
    assert replace_section(replace_section(page, "first", ["new"]), "first", ["new"]) == replace_section(
        page, "first", ["new"]
    )
    with pytest.raises(ValueError, match="lacks the marks for the table"):
        replace_section(page, "cards", [])


@pytest.mark.parametrize("study", ["cards", "first", "teams"])
def test_a_study_writes_its_page_and_draws(study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = TableResult("ai", 0.75, 0.5, (("avx1", "avx2"), ("avx3",)), ((4, 0), (2,)))
    monkeypatch.setattr(card_studies, "play_tables", lambda *_: [seen, seen])
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
    ("words", "says"),
    [
        (["first", "--write", "{folder}/none"], "none/first.md: No such file or directory"),
        (["first", "--write", "{folder}"], "the page lacks the marks for the table"),
        (["teams", "--write", "{folder}"], "at least two tables, and at least one game"),
        (["first", "--player", "nobody", "--write", "{folder}"], "there is no player 'nobody'"),
    ],
)
def test_what_no_study_can_be_made_of_is_one_line(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word.format(folder=tmp_path) for word in words] + ["--tables", "1"]
    (tmp_path / "first.md").write_text("nothing\n")
    (tmp_path / "teams.md").write_text(f"{BEGIN.format(' '.join(given))}\n{END}\n")
    with pytest.raises(SystemExit) as left:
        main(given)
    assert left.value.code == 2
    assert says in capsys.readouterr().err.splitlines()[-1]
