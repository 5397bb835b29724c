import { mount } from "svelte";
import App from "./App.svelte";
import "./look/tokens.css";
import "./look/base.css";
import "./look/parts.css";
import { applyTheme } from "./settings.svelte";

applyTheme();
mount(App, { target: document.getElementById("app")! });
