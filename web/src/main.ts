import { mount } from "svelte";
import "./look/tokens.css";
import "./look/base.css";
import "./look/parts.css";
import App from "./App.svelte";
import { applyTheme } from "./settings.svelte";

applyTheme();
mount(App, { target: document.getElementById("app")! });
