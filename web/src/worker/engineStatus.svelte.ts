/** How far the engine is that plays in this browser, and whether everything is here for playing without a network. */

interface EngineStatus {
  stage: "asleep" | "loading" | "ready" | "failed";
  /** how much of it has been fetched, from 0 to 1 */
  progress: number;
  offline: boolean;
}

export const engineStatus: EngineStatus = $state({ stage: "asleep", progress: 0, offline: false });
