/** Doing much in parts: how long one may take, and the pause after it. */

/** milliseconds after which the browser is let draw and answer */
export const AT_ONCE = 16;
const UNSEEN = 100; // milliseconds: a page that nobody sees is not drawn

/** Wait until what was made is drawn. */
export function drawn(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, UNSEEN);
    requestAnimationFrame(() => setTimeout(done));
  });
}
