r"""Regular expressions with a guaranteed bound on matching time.

Python's `re` backtracks, so an untrusted pattern can take exponential time. This subset (characters, `.`, classes, `|`,
groups, `*`, `+`, `?`, `^`, `$`, `\b`, and `\d`, `\w`, `\s` with their complements in capitals) is compiled to an
NFA whose states are simulated in parallel: the time is at most proportional to pattern length times text length.
"""

from __future__ import annotations

from collections.abc import Callable

MAX_PATTERN_LENGTH = 100  # characters in a pattern

# opcode and operand: char (predicate), split (two offsets), jump (offset), begin, end, edge, match
Instruction = tuple[str, object]


class PatternError(ValueError):
    """An invalid pattern. The message says what is wrong."""


def matcher(pattern: str) -> Callable[[str], bool]:
    """Return a predicate that tests whether a text contains the pattern, ignoring case.

    Raise `PatternError` if the pattern is invalid.

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
    """Recursive-descent compiler from a pattern to NFA instructions."""

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
                raise PatternError(f"the pattern /{self.pattern}/ has a '{{', which is not supported; write \\{{")
            case "*" | "+" | "?":
                raise PatternError(f"the pattern /{self.pattern}/ has nothing before '{char}'")
            case "\\":
                self._escape()
            case _:
                self._literal(char)

    def _literal(self, char: str) -> None:
        """Match one character literally; case folding can turn it into several."""
        for folded in char.casefold():
            self.program.append(("char", lambda c, folded=folded: c == folded))

    def _escape(self) -> None:
        char = self._after_backslash()
        if char == "b":
            self.program.append(("edge", None))
        elif char in _CHARACTER_CLASSES:
            self.program.append(("char", _CHARACTER_CLASSES[char]))
        elif char.isascii() and char.isalnum():
            raise PatternError(f"the pattern /{self.pattern}/ has a '\\{char}', which is not supported")
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
                raise PatternError(f"the pattern /{self.pattern}/ has an invalid range in [ ]")
            else:
                ranges.append((low, high))
        self.position += 1
        return lambda c: (
            (any(low <= c <= high for low, high in ranges) or any(is_member(c) for is_member in classes)) != is_negated
        )

    def _class_member(self) -> str | Callable[[str], bool]:
        """Return the next character of a bracketed class, or the predicate of an escape sequence."""
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
    """Simulate all NFA threads in parallel, starting a new one at each character."""
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
    """Follow all instructions that consume no character. Add the rest to `threads`; return True on a match."""
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
