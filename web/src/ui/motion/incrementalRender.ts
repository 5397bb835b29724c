/** Drawing much in parts: how long one may take, and the pause after it. */

import { tick } from "svelte";

const UNSEEN = 100; // milliseconds: a page that nobody sees is not drawn

/** Wait until what was made is drawn. */
export function drawn(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, UNSEEN);
    requestAnimationFrame(() => setTimeout(done));
  });
}

/** Draw part after part, as long as there are more; the browser is let answer after so many milliseconds. What is given back ends it. */
export function inParts(draw: () => boolean, atOnce = 16): () => void {
  let stays = true;
  void (async () => {
    let since = performance.now();
    while (stays && draw()) {
      await tick();
      if (performance.now() - since < atOnce) continue;
      await drawn();
      since = performance.now();
    }
  })();
  return () => (stays = false);
}
