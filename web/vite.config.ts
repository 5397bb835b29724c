import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  build: {
    outDir: "../src/dicemasters/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the server's content policy allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { bundlerTimings: false } }, // warns whenever the machine is busy
  },
  worker: { format: "es" },
  experimental: {
    // files name each other from where they are, so that any folder of any host will do; the page itself may have any address
    renderBuiltUrl: (name, { hostType }) => (hostType === "html" ? `/${name}` : { relative: true }),
  },
  // `npm run dev` shows the sources; games come from a server started beside it
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
