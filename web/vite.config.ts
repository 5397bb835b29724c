import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  build: {
    outDir: "../src/dicemasters/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the server's content security policy does not allow data: URLs
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { bundlerTimings: false } }, // these warn whenever the machine is busy
  },
  worker: { format: "es" },
  experimental: {
    // Files refer to each other by relative paths, so the build works in any folder of any host. Only index.html, which
    // is served under any URL, refers to them by absolute paths.
    renderBuiltUrl: (name, { hostType }) => (hostType === "html" ? `/${name}` : { relative: true }),
  },
  // `npm run dev` serves the sources and proxies the API to a server on port 8000
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
