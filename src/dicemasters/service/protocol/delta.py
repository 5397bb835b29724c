"""What has changed from one view to the next: all that goes over the wire while somebody stays at a table."""

from __future__ import annotations

from dicemasters.service.protocol import game_schema, messages


def diff_views(old: game_schema.View, new: game_schema.View) -> messages.DeltaMessage:
    """Give what makes the old view the new one: the parts that differ, and of the dice those that differ.

    What happened is part of every change, since it is about the way from one view to the next.
    """
    parts: messages.ViewDelta = {"version": new["version"], "news": new["news"]}
    for key in _DIFFED_FIELDS:
        if new[key] != old[key]:  # type: ignore[literal-required]
            parts[key] = new[key]  # type: ignore[literal-required]
    before, after = old["dice"], new["dice"]
    gone: list[int] = []
    # dice that lie still are mostly the same objects
    differ = [(x, y) for x, y in zip(before, after, strict=False) if x is not y and x != y]
    dice = [y for _, y in differ]
    if len(before) != len(after) or any(x["id"] != y["id"] for x, y in differ):  # some have come or gone
        known, there = {x["id"]: x for x in before}, {y["id"] for y in after}
        dice = [y for y in after if known.get(y["id"]) != y]
        gone = [x["id"] for x in before if x["id"] not in there]
    if dice:
        parts["dice"] = dice
    return {"type": "change", "since": old["version"], "view": parts, "gone": gone}


_DIFFED_FIELDS = (
    "move", "turn", "active", "step", "stage", "title", "life", "energy", "effects", "decision", "why", "throw", "result",
)  # fmt: skip
