"""Whole answers: all parts at once, in any order; an illegal answer leaves the game as it was."""

from __future__ import annotations

import re

import pytest
from tests.support.effort import examples
from tests.support.fair_dice_players import FairDicePlayers
from tools.verify.random_games import random_game

from dicemasters import Choice, Game, IllegalChoiceError
from dicemasters.cards.catalogue import catalogue
from dicemasters.game.answers.compound import compound_decision
from dicemasters.game.answers.ordering import PARTS, expects_more
from dicemasters.game.answers.whole_answers import NameableParts
from dicemasters.game.decision import FairDiceNeededError
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Option
from dicemasters.game.text import describe, matching
from dicemasters.game.turn import loop
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64

Part = Choice | int | str


def choices(game: Game) -> tuple[Choice, ...]:
    assert game.decision is not None
    return game.decision.options


def texts(game: Game) -> list[str]:
    return [option.text for option in choices(game)]


def moves(game: Game) -> list[str]:
    return [move.text for move in game.moves]


def snapshot(game: Game) -> tuple[object, ...]:
    return game.state.copy(), game.state.key(), game.record, game.log, list(game.moves), repr(game.decision)


def refuses(game: Game, answer: list[Part], reason: str) -> None:
    """Check that the answer is refused for this reason and that the game stays as it was."""
    before = snapshot(game)
    with pytest.raises(IllegalChoiceError, match=reason):
        game.play_all(answer)
    assert snapshot(game) == before


# --- attackers -----------------------------------------------------------------------------------------------------

ATTACK = """
edition: avx
team A: Captain America: American Hero
A field: 3 Sidekick, Captain America@1
B field: Sidekick
turn: 5, A, declare
"""


def attackers(game: Game) -> list[str]:
    return sorted(die.title for die in game.position.player("A").field if die.is_attacking)


def test_strongest_attacker_may_be_named_first() -> None:
    game = Game.from_text(ATTACK)
    game.play_all(
        ["attack with Captain America", "attack with Sidekick", "attack with Sidekick", "attack with Sidekick"]
    )
    assert attackers(game) == ["Captain America", "Sidekick", "Sidekick", "Sidekick"]


def test_attackers_may_be_named_by_text_option_or_index() -> None:
    plain = Game.from_text(ATTACK)
    sidekick, captain, _ = choices(plain)
    plain.play_all(["Captain America", "Sidekick", "Sidekick", "Sidekick"])
    answers: list[list[Part]] = [
        [captain, sidekick, sidekick, sidekick],
        [captain.index, sidekick.index, sidekick.index, sidekick.index],
        [sidekick, "Captain America", sidekick.index, "attack with Sidekick"],
    ]
    for answer in answers:
        game = Game.from_text(ATTACK)
        game.play_all(answer)
        assert (game, game.log, game.record) == (plain, plain.log, plain.record)


def test_whole_attack_leaves_dice_that_are_not_named_at_home() -> None:
    game = Game.from_text(ATTACK)
    game.play_all(["Captain America", "Sidekick"])
    assert attackers(game) == ["Captain America", "Sidekick"]
    assert game.decision is not None
    assert game.decision.kind == "block"


@pytest.mark.parametrize("answer", [[], ["no attack"]])
def test_attack_of_nobody_is_an_empty_list_or_the_option_for_it(answer: list[Part]) -> None:
    game = Game.from_text(ATTACK)
    game.play_all(answer)
    assert moves(game)[0] == "no attack"


def test_illegal_attack_leaves_the_game_as_it_was() -> None:
    game = Game.from_text(ATTACK)
    refuses(game, ["Captain America", "Captain America"], "'Captain America' is not an option; A may: attack with Side")
    refuses(game, [choices(game)[1]] * 2, "'attack with Captain America@1' is not an option")
    refuses(game, ["Sidekick"] * 4, "'Sidekick' is not an option; A may: attack with Captain America@1")
    refuses(game, ["Sidekick", "Thor"], "'Thor' is not an option")
    refuses(game, ["attack with"], "fits more than one option: attack with Sidekick; attack with Captain America@1")
    refuses(game, ["Sidekick", "no attack"], "'no attack' is not an option")
    refuses(game, [9], "there is no option 9; the 3 options are numbered from 0")
    refuses(game, [True], "a choice must be an option, its index or its text, not True")
    refuses(game, [[0]], "a choice must be an option")  # type: ignore[list-item]
    refuses(game, "Sidekick", "a whole answer must be a list of its parts, not 'Sidekick'")  # type: ignore[arg-type]


def test_die_that_must_attack_may_be_named_last_but_not_left_out() -> None:
    game = Game.from_text(
        "edition: uxm\nteam A: Hulk: Jade Giant; Phoenix: Ms. Psyche\n"
        "A field: Hulk@1, Sidekick, Phoenix@1\nA reserve: B\nB field: Sidekick\nturn: 5, A, main\n"
    )
    game.play("Global of A's Phoenix")
    game.play("choose A's Sidekick")
    while game.state.decision.kind != "attack":
        game.play("pass")
    refuses(game, ["Hulk"], "Sidekick must attack")
    refuses(game, [], "Sidekick must attack")
    game.play_all(["Phoenix", "Hulk", "Sidekick"])
    assert attackers(game) == ["Hulk", "Phoenix", "Sidekick"]


# --- blocks --------------------------------------------------------------------------------------------------------

BLOCK = """
edition: avx
team A: Hulk: Jade Giant
team B: Beast: Big Boy Blue
A field: Hulk@1 (attacking), 2 Sidekick (attacking)
B field: Beast@1, 3 Sidekick
turn: 5, A, block
"""


def blocks(game: Game) -> list[str]:
    return sorted(
        f"{attacker.title} by {' and '.join(sorted(die.title for die in attacker.blockers))}"
        for attacker in game.position.player("A").field
        if attacker.is_blocked
    )


@pytest.mark.parametrize(
    "answer",
    [
        ["block Hulk with Sidekick", "block Sidekick with Beast", "block Sidekick #2 with Sidekick"],
        ["block Sidekick #2 with Sidekick", "block Sidekick #1 with Beast", "block Hulk with Sidekick"],
        ["block Sidekick #2 with Beast", "block Hulk with Sidekick", "block Sidekick #1 with Sidekick"],
        ["block Sidekick with Beast", "block Sidekick (attacking) with Sidekick", "block Hulk with Sidekick"],
    ],
)
def test_blocks_of_equal_dice_may_be_named_in_any_order(answer: list[Part]) -> None:
    game = Game.from_text(BLOCK)
    game.play_all(answer)
    assert blocks(game) == ["Hulk by Sidekick", "Sidekick by Beast", "Sidekick by Sidekick"]


def test_block_named_twice_means_two_equal_blockers_of_one_attacker() -> None:
    game = Game.from_text(BLOCK)
    option = next(option for option in choices(game) if option.text == "block Hulk@1* with Sidekick")
    game.play_all(["block Hulk with Beast", option, option])
    assert blocks(game) == ["Hulk by Beast and Sidekick and Sidekick"]


@pytest.mark.parametrize("numbered", [False, True])
def test_blocks_of_one_text_are_blocks_of_one_of_several_equal_attackers(numbered: bool) -> None:
    for answer in (["block Sidekick with Beast", "block Sidekick with Sidekick"], ["block Sidekick with Sidekick"] * 2):
        game = Game.from_text(BLOCK)
        game.play_all([text.replace("Sidekick with", "Sidekick #2 with") for text in answer] if numbered else answer)
        assert len(blocks(game)) == 1


def test_illegal_blocks_leave_the_game_as_it_was() -> None:
    game = Game.from_text(BLOCK)
    refuses(game, ["block Hulk with Beast", "block Sidekick with Beast"], "Beast@1. can block only one")
    refuses(game, ["block Hulk with Beast", "block Hulk with Beast"], "'block Hulk with Beast' is not an option")
    refuses(game, ["block Hulk with Sidekick"] * 4, "'block Hulk with Sidekick' is not an option|only one")
    refuses(game, ["block Beast with Hulk"], "is not an option")
    refuses(game, ["block Sidekick #3 with Beast"], "is not an option")


def test_attacker_that_must_be_blocked_may_be_named_last_but_not_left_out() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: Rocket Raccoon: Bandit\nteam B: Hulk: Jade Giant\nB field: Sidekick, Hulk@1\n"
        "A field: 2 Sidekick (attacking), Rocket Raccoon@1 (attacking)\nturn: 5, A, block\n"
    )
    refuses(game, ["block Sidekick with Hulk"], "Rocket Raccoon@1 must be blocked")
    refuses(game, [], "Rocket Raccoon@1 must be blocked")
    game.play_all(["block Sidekick with Hulk", "block Rocket Raccoon with Sidekick"])
    assert blocks(game) == ["Rocket Raccoon by Sidekick", "Sidekick by Hulk"]


# --- payments ------------------------------------------------------------------------------------------------------

PAY = """
edition: ai
team A: Beast: Kreature
A reserve: F, B, S, Beast:MM
turn: 5, A, main
"""


def pay_question(text: str = PAY) -> Game:
    """Return a game that waits for the payment of Beast: 3 energy, one of them a mask."""
    game = Game.from_text(text)
    game.play("buy Beast")
    assert game.state.decision.kind == "pay"
    return game


def reserve(game: Game) -> list[str]:
    return sorted(str(die.energy) for die in game.position.player("A").reserve)


def test_single_energy_named_before_a_double_die_does_not_break_it() -> None:
    game = pay_question()
    game.play_all(["pay S", "pay Beast:MM"])
    assert reserve(game) == ["B", "F"]


def test_half_of_a_double_die_may_be_paid() -> None:
    game = pay_question()
    game.play_all(["pay S", "pay 1 of Beast", "pay F"])
    assert reserve(game) == ["B", "M"]


def test_one_of_two_equal_doubles_may_have_to_be_spent_in_half() -> None:
    game = pay_question(
        "edition: ai\nteam A: Captain America: American Hero; Beast: Kreature\nA reserve: S, M, 2 Beast:MM\nturn: 5, A, main\n"
    )
    game.play_all(["pay Beast:MM", "pay S"])
    assert reserve(game) == ["M", "MM"]


def test_die_of_which_the_rest_is_lost_is_named_as_a_whole() -> None:
    game = pay_question(
        "edition: avx\nteam A: Beast: Kreature\nbasics: Force Beam\nA reserve: 2 M, B, Force Beam:2\nturn: 5, A, main\n"
    )
    game.play_all(["pay Force Beam:2", "pay M", "pay M"])
    assert reserve(game) == ["B"]


def test_illegal_payments_leave_the_game_as_it_was() -> None:
    game = pay_question()
    refuses(game, ["pay S", "pay F"], "3 energy must be paid, and this is 2")
    refuses(game, ["pay S", "pay F", "pay B"], "needs one mask")
    refuses(game, [], "3 energy must be paid, and this is 0")
    refuses(game, ["pay S", "pay S", "pay F"], "'pay S' is not an option")
    refuses(game, ["pay ?"], "'pay \\?' is not an option")


# --- rerolls, damage and targets -----------------------------------------------------------------------------------


def test_dice_of_a_roll_may_be_named_in_any_order() -> None:
    game = Game.from_text("edition: avx\nA prep: 2 F, B, S\nturn: 5, A, reroll\n")
    game.play_all(["reroll S", "reroll F", "reroll F"])
    assert moves(game) == ["reroll F", "reroll F", "reroll S"]


def test_illegal_rerolls_leave_the_game_as_it_was() -> None:
    game = Game.from_text("edition: avx\nA prep: 2 F, B, S\nturn: 5, A, reroll\n")
    refuses(game, ["reroll F"] * 3, "'reroll F' is not an option; A may: reroll B; reroll S")
    refuses(game, ["reroll M"], "'reroll M' is not an option")


SPLIT = """
edition: ai
team A: Hulk: Jade Giant
A field: Hulk@2 (attacking, blocked)
B field: Sidekick (blocking Hulk), Sidekick (blocking Hulk), Sidekick (blocking Hulk)
turn: 5, A, damage
"""


def damage_dealt(game: Game, name: str) -> list[int]:
    return [
        line.amount
        for line in game.news(0)
        if line.kind == "damage" and describe.title(game.state, line.dice[0]) == name
    ]


@pytest.mark.parametrize("answer", [["5 to Sidekick #3", "2 to Sidekick"], ["2 to Sidekick #1", "5 to Sidekick #3"]])
def test_damage_that_is_not_assigned_is_nothing(answer: list[Part]) -> None:
    game = Game.from_text(SPLIT)
    game.play_all([str(part).replace(" #1", "") for part in answer])
    assert damage_dealt(game, "Hulk") == [2, 5]
    assert moves(game) == ["2 to B's Sidekick", "0 to B's Sidekick"]


def test_amount_named_twice_goes_to_two_equal_dice() -> None:
    game = Game.from_text(SPLIT)
    three, one = choices(game)[3], choices(game)[1]
    game.play_all([three, one, three])
    assert sorted(damage_dealt(game, "Hulk")) == [1, 3, 3]


def test_illegal_split_leaves_the_game_as_it_was() -> None:
    game = Game.from_text(SPLIT)
    refuses(game, ["5 to Sidekick"], "7 damage must be split, and this is 5")
    refuses(game, ["5 to Sidekick", "5 to Sidekick"], "7 damage must be split, and this is 10")
    refuses(game, ["8 to Sidekick"], "'8 to Sidekick' is not an option")
    refuses(game, ["7 to Hulk"], "'7 to Hulk' is not an option")
    refuses(game, [], "7 damage must be split, and this is 0")


def test_divided_damage_of_an_ability_may_be_named_in_any_order() -> None:
    game = Game.from_text(
        "edition: cw\nteam A: Tony Stark: Sorcerer Supreme of Earth 9810\nteam B: Hulk: Jade Giant\n"
        "A field: Tony Stark@2 (attacking, blocked)\nB field: Hulk@3 (blocking Tony Stark), Hulk@1, Sidekick\n"
        "turn: 5, A, damage\n"
    )
    while game.state.decision.kind != "divide":
        game.play(0)
    since = len(game.moves)
    refuses(game, ["1 to Hulk@3", "1 to Sidekick"], "6 damage must be split, and this is 2")
    game.play_all(["4 to Hulk@3", "2 to Sidekick"])
    dealt = {
        describe.title(game.state, line.dice[-1]): line.amount for line in game.news(since) if line.kind == "damage"
    }
    assert dealt == {"Hulk": 4, "Sidekick": 2}


CAPTURE = """
edition: uxm
basics: Imprisoned
team B: Beast: Big Boy Blue; Hulk: Jade Giant
A reserve: Imprisoned!
B field: 3 Sidekick, Beast@1, Hulk@2, Beast@3
turn: 5, A, main
"""


def test_several_targets_may_be_named_in_any_order() -> None:
    game = Game.from_text(CAPTURE)
    game.play("use Imprisoned")
    game.play_all(["Beast@3", "Sidekick", "Beast@1", "Sidekick"])
    assert sorted(die.title for die in game.position.player("B").field) == ["Hulk", "Sidekick"]


def test_illegal_targets_leave_the_game_as_it_was() -> None:
    game = Game.from_text(CAPTURE)
    game.play("use Imprisoned")
    refuses(game, ["Beast@3", "Hulk", "Beast@1"], "These dice cannot be picked together")
    refuses(game, ["Beast"], "'Beast' fits more than one option: choose B's Beast@1.; choose B's Beast@3")
    game.play_all([])
    assert "none" in moves(game)


def test_single_target_is_a_list_of_one_and_declining_it_an_empty_list() -> None:
    text = "edition: avx\nteam B: Hulk: Jade Giant\nbasics: Power Bolt\nA reserve: Power Bolt!\nB field: Hulk@1, 2 Sidekick\n"
    game = Game.from_text(f"{text}turn: 5, A, main\n")
    game.play("use Power Bolt")
    refuses(game, [], "exactly one option")
    refuses(game, ["choose B's Hulk", "choose B's Sidekick"], "exactly one option")
    game.play_all(["choose B's Sidekick"])
    assert "B prep: Sidekick" in game.to_text()


def test_single_answer_is_a_list_of_one_option() -> None:
    game = Game.new("ai", seed=7)
    refuses(game, [], "exactly one option")
    refuses(game, ["go first", "go second"], "is not an option|exactly one option")
    refuses(game, ["go"], "this takes exactly one option; . may: ")
    game.play_all(["go first"])
    assert moves(game)[0] == "go first"


def test_finished_game_takes_no_answer() -> None:
    game = Game.new("ai", seed=7)
    while game.result is None:
        game.play(0)
    refuses(game, [], "the game is over")


# --- fair dice -----------------------------------------------------------------------------------------------------


def test_answer_that_needs_a_throw_leaves_the_game_as_it_was_and_is_played_with_one() -> None:
    players = FairDicePlayers("A", "B", seed=3)
    game = players.begin()
    while game.state.decision.kind != "reroll" or len(game.state.options) < 3:
        players.play(game, 0)
    answer: list[Part] = list(reversed([option for option in choices(game) if option.what == "reroll"]))
    seat = "AB"[game.state.decision.seat]
    one_by_one = game.copy()
    before = snapshot(game)
    with pytest.raises(FairDiceNeededError):
        game.play_all(answer)
    assert snapshot(game) == before
    ready = players.throw(seat)
    game.ready = one_by_one.ready = ready
    game.play_all(answer)
    for text in moves(game)[len(one_by_one.moves) :]:
        one_by_one.play(text)
    assert (game, game.log, game.moves) == (one_by_one, one_by_one.log, one_by_one.moves)
    assert game.moves[-1].throw == ready


# --- random games --------------------------------------------------------------------------------------------------


def play_part_by_part(game: Game, chance: SplitMix64) -> list[Option] | None:
    """Answer the decision at random, part by part, and return the parts, those that the engine takes itself included.

    Return None if something else was done instead, such as using an action die.
    """
    start, since = game.state.copy(), len(game.moves)
    compound = compound_decision(start)
    named: list[Option] = []
    is_open = True
    while is_open:
        before = game.state.copy()
        option = before.options[chance.below(len(before.options))]
        game.play(before.options.index(option))
        if option[0] not in (*PARTS, "done"):
            return None
        named += [option, *targets_taken(before, option)] if option[0] in PARTS else []
        is_open = option[0] in PARTS and expects_more(before, game.state)
    if compound.mode == "spend":
        due, named = compound.total, []
        for line in game.news(since):
            if line.kind == "pay" and due > 0:
                named.append(("pay", line.dice[0] if line.dice else NOBODY, line.amount))
                due -= line.amount
    elif compound.mode == "split":
        remainder = compound.total - sum(n for _, _, n in named)
        named += [("amount", part.option[1], remainder) for part in compound.options[len(named) :][:1] if remainder]
    return named


def targets_taken(before: State, option: Option) -> list[Option]:
    """Return the targets that the engine takes without a question after an option."""
    if before.decision.kind != "choose" or not isinstance(frame := before.stack[-1], AbilityFrame):
        return []
    after = before.copy()
    after.journal = []
    loop.apply(after, option)
    return [
        (str(entry[2]), int(str(entry[3])), 0)
        for entry in after.journal
        if entry[0] == "takes" and entry[2] in PARTS and entry[-2:] == (frame.ability, frame.pc)
    ]


def shuffled(items: list[Option], chance: SplitMix64) -> list[Option]:
    items = items[:]
    return [items.pop(chance.below(len(items))) for _ in items[:]]


def shuffled_texts(s: State, named: list[Option], chance: SplitMix64) -> list[Part] | None:
    """Return texts for the parts in random order, on any equivalent dice, or None if texts cannot name them."""
    parts = NameableParts(s)
    if s.decision.kind == "block":
        return shuffled_blocks(parts, shuffled(named, chance), chance)
    texts: list[Part] = []
    used: list[Option] = []
    for option in shuffled(named, chance):
        if option[0] != "amount" or option[2] or chance.below(2):  # nothing may be assigned by saying so
            left = parts.left(used)
            whole_die = (*option[:2], 2)  # a die of which the rest is lost
            found = parts.stand_in(option, left) or parts.stand_in(whole_die, left)
            if not found and option[0] == "pay":
                return None  # the list of everything that can pay omits dice of which the rest would be lost
            (part,) = found
            used.append(part.option)
            texts.append(part.text)
    return texts


def shuffled_blocks(parts: NameableParts, named: list[Option], chance: SplitMix64) -> list[Part] | None:
    """Return texts for these blocks, in which equal attackers have other numbers."""
    texts: list[Part] = []
    at_first = parts.all([])
    if any("#" in part.text for part in at_first):
        return None  # a number already tells dice apart that are not equal
    numbers: dict[int, int] = {}
    for _, blocker, attacker in named:
        part = next(part for part in at_first if blocker in part.compound.dice and attacker in part.compound.to)
        if len(part.compound.dice) > 1 and sum(b == blocker for _, b, _ in named) > 1:
            return None  # which of several equal dice blocks twice cannot be said
        equals = list(part.compound.to)
        if attacker not in numbers:
            order = [equals.pop(chance.below(len(equals))) for _ in equals[:]]
            numbers |= {a: 1 + i for i, a in enumerate(order)}
        head, _, tail = part.text.rpartition(" with ")
        texts.append(f"{head} #{numbers[attacker]} with {tail}" if part.compound.to[1:] else part.text)
    return texts


def dice_by_line(game: Game) -> list[list[str]]:
    """Return the dice of each line of the position in alphabetical order, without the machine state."""
    lines: list[list[str]] = []
    for line in game.to_text().splitlines():
        if line.startswith("also:"):  # names one of several equal dice
            continue
        counted = [re.match(r"(?:(\d+) )?(.*)", item) for item in re.split(r", (?![^(]*\))", line.partition(": ")[2])]
        lines.append(sorted(item[2] for item in counted if item for _ in range(int(item[1] or 1))))
    return lines


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_parts_in_any_order_are_played_like_part_by_part(edition: str) -> None:
    compared: set[str] = set()
    for seed in range(examples(6, 100)):
        game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
        while game.result is None and len(game.moves) < 250:
            whole = whole_answer(game, chance) if compound_decision(game.state).mode != "one" else None
            if whole is None:
                game.play(simple.choose(game.state) if chance.below(3) else chance.below(len(game.state.options)))
            else:
                compared.add(game.state.decision.kind)
                game = whole
    assert compared >= {"reroll", "attack", "block", "pay", "split"}  # several targets are rare


def whole_answer(game: Game, chance: SplitMix64) -> Game | None:
    """Answer a decision at random, part by part and as a whole; return the game after the whole answer, if there is one."""
    one_by_one, whole = game.copy(), game.copy()
    named = play_part_by_part(one_by_one, chance)
    texts = None if named is None else shuffled_texts(game.state, named, chance)
    if texts is None:
        return None
    whole.play_all(texts)
    if game.state.decision.kind == "block":  # equal dice may declare the same blocks in more than one order
        assert dice_by_line(whole) == dice_by_line(one_by_one)
        assert sorted(whole.log) == sorted(one_by_one.log)
    else:
        assert (whole.state, whole.record, whole.log) == (one_by_one.state, one_by_one.record, one_by_one.log)
    return whole


def test_answer_may_have_more_than_a_hundred_parts() -> None:
    by_title = {c.title: c for c in catalogue() if c.kind == "character" and c.max == 4 and c.set == "avx"}
    team = list(by_title.values())[:26]
    game = Game.from_text(
        "edition: avx\n"
        f"team A: {'; '.join(f'4x {c.name} [avx]' for c in team)}\n"
        f"A field: {', '.join(f'4 {c.title}@1' for c in team)}\n"
        "B field: Sidekick\nturn: 5, A, attack\n"
    )
    attackers = [option for option in game.decision or () if option.what == "attack"]
    game.play_all([attacker for attacker in reversed(attackers) for _ in range(4)])
    assert sum(die.is_attacking for die in game.position.dice) == 4 * len(attackers) > 100


@pytest.mark.parametrize(
    ("choices", "problem"),
    [
        ([10**5000], "there is no option with this number"),
        (b"\0", "must be a list of its parts"),
        (["attack with Sidekick"] * 301, "at most 300 parts"),
    ],
)
def test_unusual_answer_is_refused_with_a_sentence(choices: list[str | int], problem: str) -> None:
    game = Game.from_text("edition: avx\nA field: 3 Sidekick\nB field: Sidekick\nturn: 5, A, attack\n")
    with pytest.raises(IllegalChoiceError, match=problem):
        game.play_all(choices)
    assert not game.moves


def test_text_that_repeats_words_is_matched_without_backtracking() -> None:
    text = "block " + " and ".join(["Sidekick"] * 60)
    assert matching.contains_in_order(text, "block " + "and " * 59)
    assert not matching.contains_in_order(text, "and " * 40 + "?")
