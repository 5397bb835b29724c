/** How far the engine is that plays in this browser, and whether everything is here for playing without a network. */

interface Readiness {
  stage: "asleep" | "loading" | "ready" | "failed";
  /** how much of it has been fetched, from 0 to 1 */
  part: number;
  offline: boolean;
}

export const readiness: Readiness = $state({ stage: "asleep", part: 0, offline: false });
