"""Patterns in texts, matched in a time that nobody can make long.

Python's own patterns go back and try again, which a stranger's text can make take years. These know characters, `.`,
classes, `|`, groups, `*`, `+`, `?`, `^`, `$`, `\\b`, `\\d`, `\\w`, `\\s` and, in capitals, all but these, and are matched by
following all ways at once: the time is at most the length of the pattern times that of the text.
"""

from __future__ import annotations

from collections.abc import Callable

LONGEST = 100  # characters of a pattern

Step = tuple[str, object]  # char (a test), split (two places), jump (a place), begin, end, edge, match


class PatternError(ValueError):
    """A pattern that cannot be understood; the message says where."""


def matcher(pattern: str) -> Callable[[str], bool]:
    """Give the test whether a text has the pattern in it, upper and lower case alike.

    >>> matcher("k.?o'd|draws? (two|2)")("When it is KO'd")
    True
    >>> matcher("^hulk$")("Hulk: Jade Giant")
    False
    """
    if len(pattern) > LONGEST:
        raise PatternError(f"a pattern has at most {LONGEST} characters, not {len(pattern)}")
    steps = _Compiler(pattern).compile()
    return lambda text: _found(steps, text.casefold())


class _Compiler:
    """Reads a pattern and writes the steps of matching it."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.steps: list[Step] = []

    def compile(self) -> list[Step]:
        self._either()
        if self.at < len(self.pattern):
            raise PatternError(f"the pattern /{self.pattern}/ has a ')' without a '('")
        self.steps.append(("match", None))
        return self.steps

    @property
    def _next(self) -> str:
        return self.pattern[self.at] if self.at < len(self.pattern) else ""

    def _either(self) -> None:
        start = len(self.steps)
        self._row()
        ends: list[int] = []
        while self._next == "|":
            self.at += 1
            self.steps.insert(start, ("split", (1, len(self.steps) - start + 2)))
            ends.append(len(self.steps))
            self.steps.append(("jump", 0))
            start = len(self.steps)
            self._row()
        for end in ends:
            self.steps[end] = ("jump", len(self.steps) - end)

    def _row(self) -> None:
        while self._next and self._next not in "|)":
            start = len(self.steps)
            self._item()
            size = len(self.steps) - start
            match self._next:
                case "*":
                    self.steps.insert(start, ("split", (1, size + 2)))
                    self.steps.append(("split", (-size, 1)))
                case "+":
                    self.steps.append(("split", (-size, 1)))
                case "?":
                    self.steps.insert(start, ("split", (1, size + 1)))
                case _:
                    continue
            self.at += 1

    def _item(self) -> None:
        char = self._next
        self.at += 1
        match char:
            case "(":
                self._either()
                if self._next != ")":
                    raise PatternError(f"the pattern /{self.pattern}/ has a '(' without a ')'")
                self.at += 1
            case "[":
                self.steps.append(("char", self._class()))
            case ".":
                self.steps.append(("char", lambda c: c != "\n"))
            case "^":
                self.steps.append(("begin", None))
            case "$":
                self.steps.append(("end", None))
            case "{":
                raise PatternError(f"the pattern /{self.pattern}/ has a '{{', which counts nothing here: write \\{{")
            case "*" | "+" | "?":
                raise PatternError(f"the pattern /{self.pattern}/ has nothing before '{char}'")
            case "\\":
                self._escaped()
            case _:
                self._literal(char)

    def _literal(self, char: str) -> None:
        """Take a character as it is; a folded one may be several."""
        for one in char.casefold():
            self.steps.append(("char", lambda c, one=one: c == one))

    def _escaped(self) -> None:
        char = self._after_backslash()
        if char == "b":
            self.steps.append(("edge", None))
        elif char in _CHARACTER_CLASSES:
            self.steps.append(("char", _CHARACTER_CLASSES[char]))
        elif char.isascii() and char.isalnum():
            raise PatternError(f"the pattern /{self.pattern}/ has a '\\{char}', which means nothing here")
        else:
            self._literal(char)

    def _after_backslash(self) -> str:
        char = self._next
        self.at += 1
        if not char:
            raise PatternError(f"the pattern /{self.pattern}/ ends with a backslash")
        return char

    def _class(self) -> Callable[[str], bool]:
        no = self._next == "^"
        self.at += no
        sorts: list[Callable[[str], bool]] = []
        ranges: list[tuple[str, str]] = []
        begun = self.at
        while self._next != "]" or self.at == begun:
            low = high = self._of_class()
            if isinstance(low, str) and self._next == "-" and self.pattern[self.at + 1 :][:1] not in ("", "]"):
                self.at += 1
                high = self._of_class()
            if not isinstance(low, str):
                sorts.append(low)
            elif not isinstance(high, str) or high < low:
                raise PatternError(f"the pattern /{self.pattern}/ has a range in [ ] that goes nowhere")
            else:
                ranges.append((low, high))
        self.at += 1
        return lambda c: (any(low <= c <= high for low, high in ranges) or any(fits(c) for fits in sorts)) != no

    def _of_class(self) -> str | Callable[[str], bool]:
        """Read a character between [ and ], or a sort of them."""
        char = self._next
        self.at += 1
        if not char:
            raise PatternError(f"the pattern /{self.pattern}/ has a '[' without a ']'")
        if char == "\\":
            char = self._after_backslash()
            if char in _CHARACTER_CLASSES:
                return _CHARACTER_CLASSES[char]
        return char.casefold()


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


_CHARACTER_CLASSES: dict[str, Callable[[str], bool]] = {
    "d": str.isdigit,
    "w": _is_word,
    "s": str.isspace,
    "D": lambda char: not char.isdigit(),
    "W": lambda char: not _is_word(char),
    "S": lambda char: not char.isspace(),
}


def _found(steps: list[Step], text: str) -> bool:
    """Follow all ways through the steps at once, beginning anew at each character."""
    ways: set[int] = set()
    for at in range(len(text) + 1):
        if _follow_empty_steps(steps, {*ways, 0}, text, at, ways := set()):
            return True
        if at == len(text):
            return False
        char = text[at]
        ways = {n + 1 for n in ways if steps[n][1](char)}  # type: ignore[operator]
    return False


def _follow_empty_steps(steps: list[Step], begun: set[int], text: str, at: int, waiting: set[int]) -> bool:
    """Go on until characters are needed, and note where; True if the pattern is through."""
    todo, seen = list(begun), set(begun)

    def go(n: int) -> None:
        if n not in seen:
            seen.add(n)
            todo.append(n)

    while todo:
        n = todo.pop()
        kind, what = steps[n]
        match kind:
            case "match":
                return True
            case "char":
                waiting.add(n)
            case "split":
                assert isinstance(what, tuple)
                for by in what:
                    go(n + by)
            case "jump":
                assert isinstance(what, int)
                go(n + what)
            case "begin":
                if at == 0 or text[at - 1] == "\n":
                    go(n + 1)
            case "end":
                if at == len(text) or text[at] == "\n":
                    go(n + 1)
            case "edge":
                before, after = at > 0 and _is_word(text[at - 1]), at < len(text) and _is_word(text[at])
                if before != after:
                    go(n + 1)
    return False
