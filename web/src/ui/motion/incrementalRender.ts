/** Drawing much in parts: how long one may take, and the pause after it. */

import { tick } from "svelte";

const HIDDEN_TIMEOUT = 100; // milliseconds: a page that nobody sees is not drawn

/** Wait until what was made is drawn. */
export function afterPaint(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, HIDDEN_TIMEOUT);
    requestAnimationFrame(() => setTimeout(done));
  });
}

/** Draw part after part, as long as there are more; the browser is let answer after so many milliseconds. What is given back ends it. */
export function renderInParts(renderNext: () => boolean, budgetMs = 16): () => void {
  let isActive = true;
  void (async () => {
    let since = performance.now();
    while (isActive && renderNext()) {
      await tick();
      if (performance.now() - since < budgetMs) continue;
      await afterPaint();
      since = performance.now();
    }
  })();
  return () => (isActive = false);
}
