"""Docstrings as Sphinx shows them: fields of data classes and named tuples, and links to pages and classes."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from typing import Any

from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode
from sphinx.util.typing import stringify_annotation

_PAGE = re.compile(r"`?docs/([\w/-]+)\.md`?")
_COMMENT = re.compile(r"  # (.*)$")


def setup(app: Sphinx) -> None:
    """Connect the handlers."""
    app.connect("autodoc-process-docstring", process_docstring)
    app.connect("autodoc-skip-member", skip_field)
    app.connect("missing-reference", link_class)


def process_docstring(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Link the pages that a docstring mentions, and list the fields of a data class or named tuple below it."""
    lines[:] = [_PAGE.sub(r":doc:`/\1`", line) for line in lines]
    if isinstance(obj, type):
        for field, type_, comment in fields_of(obj):
            lines += ["", f".. attribute:: {field}", f"   :type: {type_}", "", f"   {comment}", ""]


def fields_of(cls: type) -> list[tuple[str, str, str]]:
    """Return the public fields of a data class or named tuple: name, type and the comment next to it."""
    own = inspect.get_annotations(cls)
    if not (dataclasses.is_dataclass(cls) or hasattr(cls, "_fields")):
        return []
    comments = _comments(cls)
    return [
        (name, type_ if isinstance(type_, str) else stringify_annotation(type_), comments.get(name, ""))
        for name, type_ in own.items()
        if not name.startswith("_") and "ClassVar" not in str(type_)
    ]


def _comments(cls: type) -> dict[str, str]:
    """Return the comments next to the fields of a class."""
    lines = textwrap.dedent(inspect.getsource(cls)).splitlines()
    (definition,) = ast.parse("\n".join(lines)).body
    assert isinstance(definition, ast.ClassDef)
    comments = {}
    for node in definition.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found = _COMMENT.search(lines[(node.end_lineno or node.lineno) - 1])
            if found and not found[1].startswith(("type:", "noqa")):
                comments[node.target.id] = found[1].replace("\\", "\\\\").replace("*", "\\*")
    return comments


def skip_field(app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object) -> bool | None:
    """Leave out the fields of named tuples ("Alias for field number 0"), which `process_docstring` lists."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def link_class(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: Any) -> Any:
    """Link a class that is mentioned by its short name, or a member of it, as `Game` or `Game.play`."""
    target = str(node.get("reftarget", ""))
    if node.get("refdomain") != "py" or not target.rpartition(".")[2]:
        return None
    wanted = "." + ".".join([part for part in target.split(".") if part][-2:])
    short = "." + target.rpartition(".")[2]
    objects = env.domains.python_domain.objects
    for suffix in (wanted, short) if short[1].isupper() else (wanted,):
        if "." not in suffix[1:] and not suffix[1].isupper():
            continue
        found = {
            (entry.docname, entry.node_id)
            for name, entry in objects.items()
            if name.endswith(suffix) and not entry.aliased
        }
        if len(found) == 1:
            ((page, anchor),) = found
            return make_refnode(app.builder, node["refdoc"], page, anchor, content, target)
    return None
