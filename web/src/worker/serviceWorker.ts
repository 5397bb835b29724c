/** Offline play: a service worker stores the page at once, and the engine when there is time. */

import { engineStatus } from "./engineStatus.svelte";

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Have the browser store everything, the large files last and only if the user has not asked to save data. */
export async function registerServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return; // not available outside https
  navigator.serviceWorker.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.data === "kept") engineStatus.offline = true;
  });
  await navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(savesData() ? "look" : "keep");
}
