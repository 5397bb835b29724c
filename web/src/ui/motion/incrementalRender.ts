/** Rendering in parts: a time budget, and a pause to paint after it. */

import { tick } from "svelte";

const HIDDEN_TIMEOUT = 100; // milliseconds; a hidden page is never painted

/** Wait until the current changes have been painted. */
export function afterPaint(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, HIDDEN_TIMEOUT);
    requestAnimationFrame(() => setTimeout(done));
  });
}

/**
 * Render part after part while `renderNext` returns true, pausing to paint after each budget. Return a function that
 * stops it.
 */
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
