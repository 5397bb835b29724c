import { mount } from "svelte";
import "./ui/styles/tokens.css";
import "./ui/styles/base.css";
import "./ui/styles/components.css";
import { isOffline } from "./api/transport";
import App from "./app/App.svelte";
import { applyTheme } from "./app/settings.svelte";

applyTheme();
if (isOffline) {
  const [{ rewriteLinks }, { registerServiceWorker }] = await Promise.all([
    import("./worker/hashLinks"),
    import("./worker/serviceWorker"),
  ]);
  rewriteLinks();
  if (document.readyState === "complete") void registerServiceWorker();
  else addEventListener("load", () => void registerServiceWorker());
}
// Mount in a separate task: the task that evaluates this module also ends the loading and lays out the page.
setTimeout(() => {
  const target = document.getElementById("app")!;
  target.replaceChildren(); // removes the fallback that is shown if this code does not load
  mount(App, { target });
});
