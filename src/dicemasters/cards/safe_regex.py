"""Patterns in texts, matched in a time that nobody can make long.

Python's own patterns go back and try again, which a stranger's text can make take years. These know characters, `.`,
classes, `|`, groups, `*`, `+`, `?`, `^`, `$`, `\\b`, `\\d`, `\\w`, `\\s` and, in capitals, all but these, and are matched by
following all ways at once: the time is at most the length of the pattern times that of the text.
"""

from __future__ import annotations

from collections.abc import Callable

MAX_PATTERN_LENGTH = 100  # characters of a pattern

Instruction = tuple[str, object]  # char (a test), split (two places), jump (a place), begin, end, edge, match


class PatternError(ValueError):
    """A pattern that cannot be understood; the message says where."""


def matcher(pattern: str) -> Callable[[str], bool]:
    """Give the test whether a text has the pattern in it, upper and lower case alike.

    >>> matcher("k.?o'd|draws? (two|2)")("When it is KO'd")
    True
    >>> matcher("^hulk$")("Hulk: Jade Giant")
    False
    """
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise PatternError(f"a pattern has at most {MAX_PATTERN_LENGTH} characters, not {len(pattern)}")
    program = _Compiler(pattern).compile()
    return lambda text: _search(program, text.casefold())


class _Compiler:
    """Reads a pattern and writes the steps of matching it."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0
        self.program: list[Instruction] = []

    def compile(self) -> list[Instruction]:
        self._alternation()
        if self.position < len(self.pattern):
            raise PatternError(f"the pattern /{self.pattern}/ has a ')' without a '('")
        self.program.append(("match", None))
        return self.program

    @property
    def _next(self) -> str:
        return self.pattern[self.position] if self.position < len(self.pattern) else ""

    def _alternation(self) -> None:
        start = len(self.program)
        self._sequence()
        ends: list[int] = []
        while self._next == "|":
            self.position += 1
            self.program.insert(start, ("split", (1, len(self.program) - start + 2)))
            ends.append(len(self.program))
            self.program.append(("jump", 0))
            start = len(self.program)
            self._sequence()
        for end in ends:
            self.program[end] = ("jump", len(self.program) - end)

    def _sequence(self) -> None:
        while self._next and self._next not in "|)":
            start = len(self.program)
            self._atom()
            size = len(self.program) - start
            match self._next:
                case "*":
                    self.program.insert(start, ("split", (1, size + 2)))
                    self.program.append(("split", (-size, 1)))
                case "+":
                    self.program.append(("split", (-size, 1)))
                case "?":
                    self.program.insert(start, ("split", (1, size + 1)))
                case _:
                    continue
            self.position += 1

    def _atom(self) -> None:
        char = self._next
        self.position += 1
        match char:
            case "(":
                self._alternation()
                if self._next != ")":
                    raise PatternError(f"the pattern /{self.pattern}/ has a '(' without a ')'")
                self.position += 1
            case "[":
                self.program.append(("char", self._character_class()))
            case ".":
                self.program.append(("char", lambda c: c != "\n"))
            case "^":
                self.program.append(("begin", None))
            case "$":
                self.program.append(("end", None))
            case "{":
                raise PatternError(f"the pattern /{self.pattern}/ has a '{{', which counts nothing here: write \\{{")
            case "*" | "+" | "?":
                raise PatternError(f"the pattern /{self.pattern}/ has nothing before '{char}'")
            case "\\":
                self._escape()
            case _:
                self._literal(char)

    def _literal(self, char: str) -> None:
        """Take a character as it is; a folded one may be several."""
        for folded in char.casefold():
            self.program.append(("char", lambda c, folded=folded: c == folded))

    def _escape(self) -> None:
        char = self._after_backslash()
        if char == "b":
            self.program.append(("edge", None))
        elif char in _CHARACTER_CLASSES:
            self.program.append(("char", _CHARACTER_CLASSES[char]))
        elif char.isascii() and char.isalnum():
            raise PatternError(f"the pattern /{self.pattern}/ has a '\\{char}', which means nothing here")
        else:
            self._literal(char)

    def _after_backslash(self) -> str:
        char = self._next
        self.position += 1
        if not char:
            raise PatternError(f"the pattern /{self.pattern}/ ends with a backslash")
        return char

    def _character_class(self) -> Callable[[str], bool]:
        is_negated = self._next == "^"
        self.position += is_negated
        classes: list[Callable[[str], bool]] = []
        ranges: list[tuple[str, str]] = []
        start = self.position
        while self._next != "]" or self.position == start:
            low = high = self._class_member()
            if isinstance(low, str) and self._next == "-" and self.pattern[self.position + 1 :][:1] not in ("", "]"):
                self.position += 1
                high = self._class_member()
            if not isinstance(low, str):
                classes.append(low)
            elif not isinstance(high, str) or high < low:
                raise PatternError(f"the pattern /{self.pattern}/ has a range in [ ] that goes nowhere")
            else:
                ranges.append((low, high))
        self.position += 1
        return lambda c: (
            (any(low <= c <= high for low, high in ranges) or any(is_member(c) for is_member in classes)) != is_negated
        )

    def _class_member(self) -> str | Callable[[str], bool]:
        """Read a character between [ and ], or a sort of them."""
        char = self._next
        self.position += 1
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


def _search(program: list[Instruction], text: str) -> bool:
    """Follow all ways through the steps at once, beginning anew at each character."""
    threads: set[int] = set()
    for position in range(len(text) + 1):
        if _follow_empty_steps(program, {*threads, 0}, text, position, threads := set()):
            return True
        if position == len(text):
            return False
        char = text[position]
        threads = {thread + 1 for thread in threads if program[thread][1](char)}  # type: ignore[operator]
    return False


def _follow_empty_steps(
    program: list[Instruction], start: set[int], text: str, position: int, threads: set[int]
) -> bool:
    """Go on until characters are needed, and note where; True if the pattern is through."""
    pending, seen = list(start), set(start)

    def add(index: int) -> None:
        if index not in seen:
            seen.add(index)
            pending.append(index)

    while pending:
        index = pending.pop()
        kind, operand = program[index]
        match kind:
            case "match":
                return True
            case "char":
                threads.add(index)
            case "split":
                assert isinstance(operand, tuple)
                for offset in operand:
                    add(index + offset)
            case "jump":
                assert isinstance(operand, int)
                add(index + operand)
            case "begin":
                if position == 0 or text[position - 1] == "\n":
                    add(index + 1)
            case "end":
                if position == len(text) or text[position] == "\n":
                    add(index + 1)
            case "edge":
                before, after = (
                    position > 0 and _is_word(text[position - 1]),
                    position < len(text) and _is_word(text[position]),
                )
                if before != after:
                    add(index + 1)
    return False
