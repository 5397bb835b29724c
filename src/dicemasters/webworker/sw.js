/* Service worker: keeps the site in the browser, the page at once, Python and the engine when there is time or when they
   are first used. A new version waits until no page of the old one is open, so a page never meets files of another. */

const PAGE = "PAGE_CACHE";
const ENGINE = "ENGINE_CACHE";
const PAGE_FILES = PAGE_LIST;
const ENGINE_FILES = ENGINE_LIST;
const addressOf = (name) => new URL(name, registration.scope).href;
const ENGINE_ADDRESSES = new Set(ENGINE_FILES.map(addressOf));
const KNOWN = new Set([...PAGE_FILES.map(addressOf), ...ENGINE_ADDRESSES]);

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
  const wanted = event.request.mode === "navigate" ? addressOf("./") : address.href;
  if (event.request.method === "GET" && KNOWN.has(wanted)) event.respondWith(answer(wanted));
});

async function answer(address) {
  return (await caches.match(address)) ?? (await fetched(address));
}

/** Fetch a file and keep it. */
async function fetched(address) {
  const found = await fetch(address);
  if (found.ok) await (await caches.open(ENGINE_ADDRESSES.has(address) ? ENGINE : PAGE)).put(address, found.clone());
  return found;
}

addEventListener("message", (event) => {
  const work = event.data === "keep" ? keep() : Promise.resolve();
  event.waitUntil(work.then(isHere).then((here) => here && event.source?.postMessage("kept")));
});

async function keep() {
  for (const address of ENGINE_ADDRESSES) if (!(await caches.match(address))) await fetched(address);
}

async function isHere() {
  for (const address of KNOWN) if (!(await caches.match(address))) return false;
  return true;
}
