"""Accessibility of every scene: no axe violations, and everything reachable at 200 %."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.e2e.scenes import SCENES
from tests.e2e.support.page_driver import Visitor
from tests.e2e.test_layout import axe_violations
from tests.support.live_server import LiveServer

Visit = Callable[..., Visitor]

PHONE = (390, 844)
ZOOMED = (640, 360)  # a window of 1280 x 720 at 200 % zoom

# elements that cannot be reached: outside the page, or clipped by a container that does not scroll
UNREACHABLE = """
() => [...document.querySelectorAll('button, a, input, select, textarea, summary, h1, h2')].filter(e => e.checkVisibility({ contentVisibilityAuto: true })).flatMap(e => {
  const modal = document.querySelector('dialog[open]');
  if ((modal && !modal.contains(e)) || e.closest('.hidden, [inert], .about .term') || getComputedStyle(e).clipPath === 'inset(50%)') return [];
  let r = e.getBoundingClientRect();
  let box = { left: r.left, right: r.right, top: r.top, bottom: r.bottom };
  for (let p = e.parentElement; p && p !== document.documentElement; p = p.parentElement) {
    const style = getComputedStyle(p);
    if (style.overflow === 'visible') continue;
    if (/auto|scroll/.test(style.overflowX + style.overflowY)) return []; // it can be scrolled to
    const b = p.getBoundingClientRect();
    if (box.right < b.left + 4 || box.left > b.right - 4 || box.bottom < b.top + 4 || box.top > b.bottom - 4)
      return [`${e.tagName} ${e.className} ${e.textContent.trim().slice(0, 30)} is cut by ${p.className}`];
  }
  const page = document.documentElement;
  const outside = box.left < -1 || box.right > Math.max(innerWidth, page.scrollWidth) + 1 || box.bottom + scrollY > page.scrollHeight + 1;
  return outside ? [`${e.tagName} ${e.className} ${e.textContent.trim().slice(0, 30)} lies outside`] : [];
})
"""


@pytest.mark.parametrize("scene", SCENES)
def test_scene_passes_axe_in_both_themes_and_fits_at_200_percent(visit: Visit, server: LiveServer, scene: str) -> None:
    you = visit(1280, 720)
    SCENES[scene](you, server)
    you.settle()
    assert axe_violations(you) == []
    you.page.evaluate("() => document.documentElement.dataset.theme = 'light'")
    you.resize(PHONE[0], PHONE[1])
    assert axe_violations(you) == []
    you.resize(ZOOMED[0], ZOOMED[1])
    assert you.page.evaluate("() => document.documentElement.scrollWidth") <= ZOOMED[0]
    assert you.page.evaluate(UNREACHABLE) == []
