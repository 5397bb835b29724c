"""Deltas between views: all that is sent to clients that have the previous view."""

from __future__ import annotations

from dicemasters.service.protocol import game_schema, messages


def diff_views(old: game_schema.View, new: game_schema.View) -> messages.DeltaMessage:
    """Return the delta from the old view to the new one: the fields and dice that differ.

    News is part of every delta, because it describes the transition between the views.
    """
    parts: messages.ViewDelta = {"version": new["version"], "news": new["news"]}
    for key in _DIFFED_FIELDS:
        if new[key] != old[key]:  # type: ignore[literal-required]
            parts[key] = new[key]  # type: ignore[literal-required]
    before, after = old["dice"], new["dice"]
    removed: list[int] = []
    # unchanged dice are mostly the same objects
    changed_pairs = [(x, y) for x, y in zip(before, after, strict=False) if x is not y and x != y]
    changed_dice = [y for _, y in changed_pairs]
    if len(before) != len(after) or any(x["id"] != y["id"] for x, y in changed_pairs):  # dice were added or removed
        before_by_id, after_ids = {x["id"]: x for x in before}, {y["id"] for y in after}
        changed_dice = [y for y in after if before_by_id.get(y["id"]) != y]
        removed = [x["id"] for x in before if x["id"] not in after_ids]
    if changed_dice:
        parts["dice"] = changed_dice
    return {"type": "change", "since": old["version"], "view": parts, "gone": removed}


_DIFFED_FIELDS = (
    "move", "turn", "active", "step", "stage", "title", "life", "energy", "effects", "decision", "why", "throw", "result",
)  # fmt: skip
