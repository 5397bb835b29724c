"""The rule index: every rule is cited where it is implemented, and docs/rule-index.md says where that is."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from tools.codegen import rule_index
from tools.codegen.rule_index import Citation, Place, commented_texts, leaf_rules, numbers_in, read_citations

from dicemasters.rules.document import RulesDocument, read_document

PAGE = rule_index.PAGE.read_text(encoding="utf-8")
LETTERED = re.compile(r"(?<![\w.:<>])(?:10|[1-9])\.\d{1,2}[a-h](?:\d{1,2}[a-z]?)?(?!\w)")


@cache
def document() -> RulesDocument:
    return read_document(rule_index.RULES.read_text(encoding="utf-8"))


@cache
def citations() -> tuple[Citation, ...]:
    return tuple(rule_index.all_citations())


def problems(page: str = PAGE, cited: tuple[Citation, ...] | None = None) -> list[str]:
    return rule_index.problems(page, document(), citations() if cited is None else cited)


# --- the sources and the page ----------------------------------------------------------------------------------------


def test_every_rule_is_cited_or_listed_as_without_code() -> None:
    assert problems() == []


def test_the_page_is_up_to_date() -> None:
    assert rule_index.render_page(PAGE, document(), citations()) == PAGE, "run `make generate`"


def test_every_number_in_a_comment_follows_the_word_rules() -> None:
    stray = [
        f"{path.name}:{line}: {number}"
        for path in sorted(rule_index.SOURCES.rglob("*.py"))
        for _, line, text in commented_texts(path.name, path.read_text(encoding="utf-8"))
        for number in LETTERED.findall(rule_index.without_code(text))
        if number not in numbers_in(text)
    ]
    assert stray == []


def test_cited_places_exist() -> None:
    for place in {citation.place for citation in citations()}:
        module, attributes = place.file.removesuffix(".py").replace("/", "."), place.name.split(".")
        found: object = import_module(f"dicemasters.{module.removesuffix('.__init__')}")
        for attribute in attributes:
            found = getattr(found, attribute)


def listed_by_subject() -> list[tuple[str, str]]:
    """Return the functions in the hand-written tables, each with the folder below the sources."""
    tables = PAGE.partition("## By subject")[2].partition("## Rules without code")[0]
    engine, _, teams = tables.partition("Outside the engine")
    found = [("game", engine), ("teams", teams)]
    return [(folder, name) for folder, text in found for name in re.findall(r"`((?:[a-z]\w*\.){1,2}\w+)`", text)]


@pytest.mark.parametrize(("folder", "name"), listed_by_subject())
def test_functions_listed_by_subject_exist(folder: str, name: str) -> None:
    module, _, function = name.rpartition(".")
    (path,) = (rule_index.SOURCES / folder).rglob(f"{module.replace('.', '/')}.py")
    assert re.search(rf"^(def|class) {function}\b|^{function}\b", path.read_text(encoding="utf-8"), re.MULTILINE)


# --- the checks themselves -------------------------------------------------------------------------------------------


def test_a_deleted_citation_is_reported() -> None:
    remaining = tuple(citation for citation in citations() if citation.number != "3.4d1f")
    assert problems(cited=remaining) == ["3.4d1f is neither cited nor listed as without code"]
    assert rule_index.render_page(PAGE, document(), remaining) != PAGE


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        ("3.4z", "x.py:1 cites 3.4z, which does not exist"),
        ("3.4d1", "x.py:1 cites the section 3.4d1; name the rule that is meant"),
        ("10.10", "10.10 is listed as without code, but is cited"),
    ],
)
def test_a_wrong_citation_is_reported(number: str, problem: str) -> None:
    assert problems(cited=(*citations(), Citation(number, Place("x.py", "f"), 1))) == [problem]


def test_a_citation_outside_any_definition_is_reported() -> None:
    cited = tuple(read_citations("x.py", "# about rules 3.4d1f\n\nx = 1\n"))
    assert problems(cited=(*citations(), *cited)) == ["x.py:1 cites 3.4d1f outside any function, class or constant"]


def test_an_unknown_rule_without_code_is_reported() -> None:
    page = PAGE.replace("| 5.5f | No card", "| 5.5z | No such rule. |\n| 5.5f | No card")
    assert problems(page) == ["5.5z is listed as without code, but is no rule"]


def test_leaves_are_the_rules_with_nothing_below_them() -> None:
    leaves = leaf_rules(document())
    assert {"1.1a", "3.4d1f", "3.4d5", "10.1", "S1"} <= set(leaves)
    assert not {"3.4", "3.4d", "3.4d1", "8.8", "E1", "#7"} & set(leaves)
    assert len(leaves) > 350


SOURCE = '''"""Combat (rules 3.4)."""
# ways to lose
# (rules 4.1a,
# 4.2a)
LOST = 0
A, B = 1, 2  # rules 2.0b

@final
class Die:
    """A die (rules 1.1a)."""

    faces = 6  # rules 1.1c

    # rules 1.1d
    def roll(self) -> None:
        """Roll, as in `rules 3.2a`.

        >>> roll()
        'rules 7.1'
        """
        text = "rules 3.2b"
        pick(text)  # the weakest (S23 to S25; rules 3.2c)
'''


def test_citations_belong_to_the_definition_around_or_below_them() -> None:
    found: dict[str, list[str]] = {}
    for citation in read_citations("game/dice.py", SOURCE):
        found.setdefault(citation.place.dotted_name, []).append(citation.number)
    assert found == {
        "game.dice.LOST": ["4.1a", "4.2a"],
        "game.dice.A": ["2.0b"],
        "game.dice.Die": ["1.1a", "1.1c", "1.1d"],
        "game.dice.Die.roll": ["3.2c", "S23", "S24", "S25"],
    }


def test_a_page_links_each_place_once(tmp_path: Path) -> None:
    cited = [Citation("1.1a", Place("game/dice.py", "Die"), line) for line in (3, 9)]
    table = rule_index.render_index(document(), cited, {"1.1b": "A definition."})
    assert table.startswith("### 1 Components\n\n#### 1.1 Dice\n\n| rule | code |\n|---|---|\n")
    assert "| 1.1a | [`game.dice.Die`](../src/dicemasters/game/dice.py) |\n| 1.1b | none: A definition. |" in table
