/** Copies Pyodide into the Python package, next to the built page, for `dicemasters site`. */

import { copyFileSync, mkdirSync, rmSync } from "node:fs";

const FOLDER = "../src/dicemasters/webworker/pyodide";
const FILES = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const file of FILES) copyFileSync(`node_modules/pyodide/${file}`, `${FOLDER}/${file}`);
