import { mount } from "svelte";
import "./look/tokens.css";
import "./look/base.css";
import "./look/parts.css";
import { alone } from "./carrier";
import App from "./App.svelte";
import { applyTheme } from "./settings.svelte";

applyTheme();
if (alone) {
  const [{ turnLinks }, { keepEverything }] = await Promise.all([import("./site/links"), import("./site/offline")]);
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
