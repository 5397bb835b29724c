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
mount(App, { target: document.getElementById("app")! });
