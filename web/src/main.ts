import { mount } from "svelte";
import "./ui/styles/tokens.css";
import "./ui/styles/base.css";
import "./ui/styles/components.css";
import { isOffline } from "./api/transport";
import App from "./app/App.svelte";
import { applyTheme } from "./app/settings.svelte";

applyTheme();
if (isOffline) {
  const [{ rewriteLinks: turnLinks }, { registerServiceWorker: keepEverything }] = await Promise.all([
    import("./worker/hashLinks"),
    import("./worker/serviceWorker"),
  ]);
  turnLinks();
  if (document.readyState === "complete") void keepEverything();
  else addEventListener("load", () => void keepEverything());
}
// the page is made in a task of its own: the one in which the code is read also ends the loading, and lays out all there is
setTimeout(() => {
  const target = document.getElementById("app")!;
  target.replaceChildren(); // what would be said if this code had not come
  mount(App, { target });
});
