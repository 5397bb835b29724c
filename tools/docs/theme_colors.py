"""The game's colours for the theme of the site, read from the style sheet of the page."""

from __future__ import annotations

import re
from pathlib import Path

TOKENS = Path(__file__).resolve().parents[2] / "web" / "src" / "ui" / "styles" / "tokens.css"

# variables of the theme by token; a pair names different tokens for light and dark
VARIABLES: dict[str, str | tuple[str, str]] = {
    "color-background-primary": ("panel", "ground"),
    "color-background-secondary": "ground2",
    "color-background-hover": "panel2",
    "color-background-border": "line",
    "color-foreground-primary": "text",
    "color-foreground-secondary": "muted",
    "color-foreground-muted": "muted",
    "color-foreground-border": "line",
    "color-brand-primary": "you",
    "color-brand-content": "you",
    "color-brand-visited": "you",
    "color-sidebar-item-background--current": ("panel2", "panel2"),
    "color-sidebar-link-text": "text",
    "color-sidebar-link-text--top-level": "text",
    "color-sidebar-caption-text": "muted",
    "color-inline-code-background": ("panel2", "panel"),
    "color-code-background": ("ground2", "well"),
    "color-highlight-on-target": ("panel2", "panel2"),
    "color-highlighted-background": "do",
    "color-highlighted-text": "on-do",
    "color-api-background": ("panel2", "panel"),
    "color-api-background-hover": ("ground", "panel2"),
    "color-api-name": "text",
    "color-api-pre-name": "muted",
    "color-api-keyword": "muted",
    "color-table-header-background": ("panel2", "panel"),
    "color-admonition-background": ("ground2", "panel"),
    "dm-do": "do",
    "dm-on-do": "on-do",
    "dm-outline": "outline",
    "dm-panel2": "panel2",
    "dm-rival": "rival",
}


def theme_variables() -> tuple[dict[str, str], dict[str, str]]:
    """Return the variables of the theme for light and dark mode."""
    tokens: dict[str, tuple[str, str]] = {}
    for name, value in re.findall(r"--([\w-]+): ([^;]+);", TOKENS.read_text(encoding="utf-8")):
        both = re.fullmatch(r"light-dark\((\S+), (\S+)\)", value)
        tokens[name] = (both[1], both[2]) if both else (value, value)
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for variable, token in VARIABLES.items():
        pair = token if isinstance(token, tuple) else (token, token)
        light[variable], dark[variable] = tokens[pair[0]][0], tokens[pair[1]][1]
    return light, dark
