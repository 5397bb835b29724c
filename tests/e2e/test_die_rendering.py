"""Drawing of dice: distinguishable and complete at every size."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.e2e.support.page_driver import expect

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]

PIXEL_DIFFERENCES = """
async ([picture, boxes]) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + picture;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  pen.drawImage(image, 0, 0);
  const drawn = boxes.map(([name, x, y]) => [name, pen.getImageData(Math.round(x), Math.round(y), 28, 28).data]);
  const pairs = [];
  for (let i = 0; i < drawn.length; i++)
    for (let j = 0; j < i; j++) {
      const [one, two] = [drawn[i][1], drawn[j][1]];
      let different = 0;
      for (let p = 0; p < one.length; p += 4)
        if (Math.abs(one[p] - two[p]) + Math.abs(one[p + 1] - two[p + 1]) + Math.abs(one[p + 2] - two[p + 2]) > 72) different++;
      pairs.push([different, drawn[i][0], drawn[j][0]]);
    }
  return pairs.sort((x, y) => x[0] - y[0]).slice(0, 12);
}
"""


def test_all_dice_are_distinguishable_at_28_pixels(visit: Visit) -> None:
    you = visit(1280, 800)
    you.go("/dice")
    # including the four colours of basic actions and the Sidekick
    expect(you.page.locator(".all li")).to_have_count(139)
    you.settle()
    boxes: list[Any] = you.page.evaluate(
        "() => [...document.querySelectorAll('.all li')].map(li => {"
        "  const r = li.querySelector('.small .die').getBoundingClientRect();"
        "  return [li.dataset.kind, r.x + scrollX, r.y + scrollY, r.width];"
        "})"
    )
    assert {width for *_, width in boxes} == {28}
    picture = base64.b64encode(you.page.screenshot(full_page=True)).decode()
    closest = you.page.evaluate(PIXEL_DIFFERENCES, [picture, [box[:3] for box in boxes]])
    assert closest[0][0] >= 60, closest  # out of 784 pixels


def test_die_contents_stay_within_its_edges_at_every_size(visit: Visit) -> None:
    you = visit(1280, 800)
    you.go("/dice")
    you.page.locator(".row .at .die").nth(10).wait_for()
    you.settle()
    outside = you.page.evaluate(
        "() => [...document.querySelectorAll('.row .at .die')].flatMap(die => {"
        "  const d = die.getBoundingClientRect();"
        "  return [...die.querySelectorAll('b, .em, .mo, .lv')].filter(part => part.getClientRects().length).filter(part => {"
        "    const p = part.getBoundingClientRect();"
        "    return p.left < d.left || p.right > d.right + 0.5 || p.top < d.top || p.bottom > d.bottom + 0.5;"
        "  }).map(part => `${d.width} ${part.className.baseVal ?? part.className}`);"
        "})"
    )
    assert outside == []
