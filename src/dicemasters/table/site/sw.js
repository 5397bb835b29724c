/* Keeps the site in the browser: the page at once, Python and the engine when there is time or when they are first used.
   A new version waits until no page of the old one is open, so a page never meets files of another. */

const PAGE = "PAGE_CACHE";
const ENGINE = "ENGINE_CACHE";
const PAGE_FILES = PAGE_LIST;
const ENGINE_FILES = ENGINE_LIST;
const KNOWN = new Set([...PAGE_FILES, ...ENGINE_FILES].map((name) => new URL(name, registration.scope).href));

addEventListener("install", (event) => {
  event.waitUntil(caches.open(PAGE).then((cache) => cache.addAll(PAGE_FILES.map((name) => new Request(name, { cache: "no-cache" })))));
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith("dicemasters ") && name !== PAGE && name !== ENGINE).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  address.search = address.hash = "";
  const wanted = event.request.mode === "navigate" ? new URL("./", registration.scope).href : address.href;
  if (event.request.method === "GET" && KNOWN.has(wanted)) event.respondWith(answer(wanted));
});

async function answer(address) {
  const kept = await caches.match(address);
  if (kept) return kept;
  const fetched = await fetch(address);
  if (fetched.ok) {
    const copy = fetched.clone();
    const isEngine = ENGINE_FILES.some((name) => new URL(name, registration.scope).href === address);
    void caches.open(isEngine ? ENGINE : PAGE).then((cache) => cache.put(address, copy));
  }
  return fetched;
}

addEventListener("message", (event) => {
  const work = event.data === "keep" ? keep() : Promise.resolve();
  event.waitUntil(work.then(isHere).then((here) => here && event.source?.postMessage("kept")));
});

async function keep() {
  for (const name of ENGINE_FILES) await answer(new URL(name, registration.scope).href);
}

async function isHere() {
  for (const name of [...PAGE_FILES, ...ENGINE_FILES]) if (!(await caches.match(new URL(name, registration.scope).href))) return false;
  return true;
}
