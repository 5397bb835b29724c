/** Playing without a network: a service worker keeps the page at once, and the engine when there is time. */

import { engineStatus } from "./engineStatus.svelte";

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Let the browser keep everything, the large files last and not where data is dear. */
export async function registerServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return; // outside https
  navigator.serviceWorker.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.data === "kept") engineStatus.offline = true;
  });
  await navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(savesData() ? "look" : "keep");
}
