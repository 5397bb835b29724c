"""The rules document: cited numbers exist, switches and scenarios are at their rules, and searches find rules."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from setuptools import Distribution
from tools.build import package_documents
from tools.build.package_documents import BuildPackage

from dicemasters.game.rulesets.editions import EDITIONS, SWITCHES
from dicemasters.rules.bundled import DOCUMENTS, RULES, document_bytes, document_text
from dicemasters.rules.document import RuleItem, RulesDocument, read_document, rules_document
from dicemasters.rules.generate import read_scenarios, render_document, write_rules
from dicemasters.rules.stemming import IRREGULAR, QUESTION_WORDS, STOP_WORDS, SYNONYMS

ROOT = Path(__file__).parents[3]
RULES_FILE = ROOT / "docs" / RULES

# --- citations -----------------------------------------------------------------------------------------------------

ONE = r"(?:10|[1-9])\.\d{1,2}(?:[a-z](?:\d{1,2}[a-z]?)?)?"
# only rules look like 3.4d; a number without a letter is a citation after "rules" or alone in brackets
LETTERED = re.compile(r"(?<![\w.:<>])(?:10|[1-9])\.\d{1,2}[a-h](?:\d{1,2}[a-z]?)?(?!\w)")
LIST = re.compile(rf"\brules? ((?:{ONE}|[1-9]|10)(?:(?:, | and | to |; )(?:{ONE}|[a-h]\d?|\d{{1,2}}))*)(?![\w.])")
BRACKETED = re.compile(rf"\(((?:{ONE})(?:(?:, | and | to |; )(?:{ONE}|[a-h]\d?))*)[);]")
SCRIPTED = re.compile(r"(?<![\w#-])S\d{1,2}(?!\w)")
RULING = re.compile(r"(?:(?<=[(|;,.:] )|(?<=\()|^)#\d{1,2}(?!\w)", re.MULTILINE)


def readable_text(path: Path) -> str:
    """Return the text people read in a file: all of a document or scenario, comments and strings of Python code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    kinds = (tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    return "\n".join(token.string for token in tokens if token.type in kinds)


def numbers_of_list(listed: str) -> Iterator[str]:
    """Yield the numbers of a list such as `3.4d2 to d5, 5.8`: a lone letter continues the number before it."""
    last = ""
    for number in re.split(r", | and | to |; ", listed):
        if number[0].isalpha():
            stem = re.match(r"\d+\.\d+", last)
            assert stem, listed
            number = stem[0] + number
        last = number
        yield number


def cited_numbers(path: Path) -> Iterator[str]:
    """Yield every number of a rule, a rule of the script or a ruling that a file cites."""
    text = readable_text(path)
    yield from LETTERED.findall(text)
    for found in (*LIST.findall(text), *BRACKETED.findall(text)):
        yield from numbers_of_list(found)
    if path.name in ("rulings.md", "rules.md"):
        yield from re.findall(rf"(?<![\w.]){ONE}(?!\w|\.\d)", text)
    yield from SCRIPTED.findall(text)
    yield from RULING.findall(text)


@pytest.mark.parametrize("top", ["src", "tests", "docs"])
def test_every_cited_rule_exists(top: str) -> None:
    kinds = (".py", ".md", ".scenario")
    files = [
        path for path in sorted((ROOT / top).rglob("*")) if path.suffix in kinds and path.name != Path(__file__).name
    ]
    found = {(path.relative_to(ROOT).as_posix(), number) for path in files for number in cited_numbers(path)}
    assert found
    assert {(path, number) for path, number in found if number not in rules_document().numbers} == set()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("# rules 3.4d2 to d5, 5.8", {"3.4d2", "3.4d5", "5.8"}),
        ("who pays (3.3a, e) and when (5.13a; 10.6)", {"3.3a", "3.3e", "5.13a", "10.6"}),
        ("as in S18, not Sidekick@2", {"S18"}),
        ("| 5.10, #12. |", {"#12"}),
        ("by (#29), not Sidekick #2 or #1b3970", {"#29"}),
        ("a width of {9.2f}, version 3.11, (1.5 seconds)", set()),
    ],
)
def test_citations_are_found_in_every_written_form(text: str, numbers: set[str], tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(text.replace("{9.2f}", "{x:9.2f}"), encoding="utf-8")
    assert set(cited_numbers(path)) == numbers


# --- the document --------------------------------------------------------------------------------------------------


def test_rule_numbers_are_unique() -> None:
    numbers = [item.number for item in rules_document().items if item.number]
    assert len(numbers) == len(set(numbers))


def parent_number(number: str) -> str:
    """Return the parent number: 3.4d1 for 3.4d1a, 3 for 3.4, an empty string for 3."""
    found = re.fullmatch(r"(\d+)(\.\d+)?([a-z])?(\d+)?([a-z])?", number)
    return "".join([part for part in found.groups() if part][:-1]) if found else ""


def test_every_rule_belongs_to_the_part_of_its_parent_number() -> None:
    document = rules_document()
    checked = [item for item in document.items if parent_number(item.number)]
    assert len(checked) > 300
    for item in checked:
        assert item in document.part(parent_number(item.number)), item.number


def test_every_rule_ends_like_a_sentence() -> None:
    for item in rules_document().items:
        if item.number and not item.level:
            assert re.search(r"[.)\]]$", item.text), item.number


def test_generated_parts_of_the_document_are_up_to_date() -> None:
    for path, text in write_rules(ROOT).items():
        same = path.read_text(encoding="utf-8") == text
        assert same, f"{path.name} is stale: run `make generate`"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_checkout_reads_the_document_in_docs(name: str) -> None:
    assert document_bytes(name) == (ROOT / "docs" / name).read_bytes()
    assert not (ROOT / "src" / "dicemasters" / "rules" / name).exists(), "docs/ is the only source"


def test_installed_package_reads_the_document_beside_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / RULES).write_text("**1.1a** Installed.", encoding="utf-8")
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    assert document_text(RULES) == "**1.1a** Installed."


def test_build_contains_the_documents(tmp_path: Path) -> None:
    build = BuildPackage(Distribution())
    build.build_lib, build.py_modules, build.packages = str(tmp_path), [], []
    build.copy_documents()
    for name in DOCUMENTS:
        built = tmp_path / "dicemasters" / "rules" / name
        assert built.read_bytes() == (ROOT / "docs" / name).read_bytes()
        assert str(built) in build.get_outputs()
    assert package_documents.DOCUMENTS == DOCUMENTS


def test_scenario_that_cites_an_unknown_rule_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.scenario").write_text("# rules 3.4z\nscenario: nothing\n", encoding="utf-8")
    page = (ROOT / "docs" / "scripted-opponent.md").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=r"one names the rule 3\.4z, which docs/rules\.md does not have"):
        render_document(RULES_FILE.read_text(encoding="utf-8"), page, read_scenarios(tmp_path))


def item_by_number(number: str) -> RuleItem:
    return rules_document().part(number)[0]


def test_each_switch_is_listed_once_at_its_rule_with_its_values() -> None:
    for name in SWITCHES:
        switch = SWITCHES[name]
        lines = [
            (one.number, line)
            for one in rules_document().items
            for line in one.editions
            if line.endswith(f"(`{name}`)")
        ]
        ((number, line),) = lines
        assert number == switch.rule, name
        for words, value in ((switch.yes, True), (switch.no, False)):
            (where,) = re.findall(rf"\*\*{re.escape(words)}\*\* \(([^)]*)\): ", line)
            named = set(EDITIONS) if where == "every edition" else set(re.findall(r"`(\w+)`", where))
            assert named == {key for key, edition in EDITIONS.items() if getattr(edition, name) == value}, name
        assert switch.on in line, name
        assert switch.off in line, name


def test_every_line_of_editions_is_a_switch() -> None:
    assert sum(len(one.editions) for one in rules_document().items) == len(SWITCHES)


def test_document_contains_every_script_rule_and_every_ruling() -> None:
    page = (ROOT / "docs" / "scripted-opponent.md").read_text(encoding="utf-8")
    for number in re.findall(r"^- \*\*(S\d+)\*\*", page, re.MULTILINE):
        assert item_by_number(number).text
    assert all(item_by_number(f"#{n}").text for n in range(1, 70))


def test_ruling_names_the_scenarios_that_show_it() -> None:
    assert "Iron Man hits back with the damage that KOs him" in item_by_number("#7").shown_by[0]


# --- search --------------------------------------------------------------------------------------------------------


def found_numbers(wanted: str, document: RulesDocument | None = None) -> list[str]:
    return [one.number for one in (document or rules_document()).look_up(wanted)]


def test_number_finds_the_rule_and_its_subrules() -> None:
    assert found_numbers("3.4d3") == ["3.4d3", "3.4d3a", "3.4d3b", "3.4d3c"]
    assert found_numbers("s18") == ["S18"]
    assert found_numbers("#7") == ["#7"]
    assert found_numbers("rule 4.1") == ["4.1", "4.1a"]
    assert found_numbers("6")[:3] == ["6", "6.1", "6.1a"]


def test_word_finds_its_explanation_first() -> None:
    found = found_numbers("overcrush")
    assert found[:2] == ["6.12", "6.12a"]
    assert {"S36", "#46"} <= set(found[6:])
    assert found_numbers("Iron  will")[0] == "6.11"
    assert found_numbers("blockers")[0] in ("3.4b", "3.4b1")


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("attack", "3.4"), ("attacking", "3.4"), ("attackers", "3.4a"), ("block", "3.4b"), ("blocking", "3.4b"),
        ("buying", "3.3b"), ("main step", "3.3"), ("rolling", "2.2a"), ("setup", "3.0"), ("set-up", "3.0"),
    ],
)  # fmt: skip
def test_section_on_a_word_comes_before_rules_of_the_script(word: str, number: str) -> None:
    found = found_numbers(word)
    assert found[0] == number
    scripted = [one.startswith(("8", "S")) for one in found]
    assert scripted == sorted(scripted)


def test_script_rules_come_first_for_words_only_they_explain() -> None:
    assert found_numbers("solitaire")[0] == "8"
    assert found_numbers("row order")[0] == "S3"


@pytest.mark.parametrize(
    ("wanted", "number"),
    [
        ("lose life", "3.1b2"), ("losing life", "3.1b2"), ("draw a die", "5.11d"), ("spin down", "5.12a"),
        ("deal damage", "5.8e1"), ("dealt damage", "5.8e1"), ("knocked out", "5.8a2"), ("knockout", "5.8a2"),
        ("knock  out", "5.8a2"), ("KO’d", "5.8a2"), ("allies", "6.1"), ("discard pile", "2.0g"), ("clean up", "3.5"), ("can't block", "#36"), ("gain life", "4.3"), ("life total", "4.1a"),
        ("iron wills", "6.11"),
        ("2.1 c", "2.1c"), ("3.4 d 1", "3.4d1"), ("3.4d.", "3.4d"), ("# 7", "#7"), ("s 18", "S18"),
    ],
)  # fmt: skip
def test_words_are_found_in_any_form_and_by_synonyms(wanted: str, number: str) -> None:
    assert number in found_numbers(wanted)[:6]


def test_introduction_is_found_for_words_it_explains() -> None:
    introduction, script = rules_document().look_up("house rule")[:2]
    assert introduction.text.startswith("**Editions.**")
    assert "\n\n" not in introduction.text
    assert script.number == "S1"


def test_browser_search_uses_the_same_word_lists() -> None:
    code = (ROOT / "web" / "src" / "i18n" / "en" / "searchSynonyms.ts").read_text(encoding="utf-8")
    for name, small in (("STOP_WORDS", STOP_WORDS), ("QUESTION_WORDS", QUESTION_WORDS)):
        quoted = re.search(rf'const {name} = new Set\(\s*"(.*?)"', code)
        assert quoted is not None
        assert set(quoted[1].split()) == small
    for name, table in (("SYNONYMS", SYNONYMS), ("IRREGULAR", IRREGULAR)):
        listed = re.search(rf"const {name}.*?= {{(.*?)}};", code, re.DOTALL)
        assert listed is not None
        assert dict(re.findall(r"""(?m)^ *"?(\w.*?)"?: "(.+)",$""", listed[1])) == table


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("can I attack with a die I fielded this turn", "3.4a1"),
        ("what happens if my bag is empty", "3.1a4"),
        ("when is damage cleared", "3.5a"),
        ("how to win", "4"),
        ("half a die", "3.3a6"),
        ("split damage", "3.4d1c"),
        ("not blocked", "3.4d1b"),
        ("fast", "6.7"),  # the keyword comes before the step named after it
        ("sidekick", "1.2"),
        ("purchase", "3.3b"),
    ],
)
def test_question_finds_the_rule_that_answers_it(question: str, first: str) -> None:
    assert rules_document().look_up(question)[0].number == first


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("ovrcrsh qqqq damage", "The rules say nothing on 'ovrcrsh qqqq'. Did you mean Overcrush?"),
        ("can I ovrcrsh with it", "The rules say nothing on 'ovrcrsh'. Did you mean Overcrush?"),
        ("?", "The rules say nothing on '?'."),
        ("ovrcrsh", "The rules say nothing on 'ovrcrsh'. Did you mean Overcrush?"),
        ("3.9", "There is no rule 3.9. Did you mean 3?"),
        ("3.4 z", "There is no rule 3.4z. Did you mean 3.4?"),
        ("qqqq", "The rules say nothing on 'qqqq'."),
    ],
)
def test_unknown_word_is_refused_with_a_suggestion(wanted: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        found_numbers(wanted)


def test_document_text_is_parsed_into_items() -> None:
    text = (
        "# The rules\n\n## 1 Things\n\nAbout\nthings.\n\n**1.1** A *thing*\nis.\n\n"
        "> *Editions* **a** (`ai`): b.\n\n## 2 More\n"
    )
    document = read_document(text)
    assert document.items == (
        RuleItem("", "The rules", 1, ""),
        RuleItem("1", "Things", 2, "About things."),
        RuleItem("1.1", "", 0, "A *thing* is.", ("**a** (`ai`): b.",)),
        RuleItem("2", "More", 2, ""),
    )
    assert found_numbers("thing", document) == ["1", "1.1"]
