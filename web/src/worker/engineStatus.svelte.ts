/** Loading state of the engine in this browser, and whether everything for offline play is stored. */

interface EngineStatus {
  stage: "asleep" | "loading" | "ready" | "failed";
  /** the share that has been fetched, from 0 to 1 */
  progress: number;
  offline: boolean;
}

export const engineStatus: EngineStatus = $state({ stage: "asleep", progress: 0, offline: false });
