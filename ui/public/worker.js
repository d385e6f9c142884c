/* Keeps the desk itself at hand, so that it opens without a connection. What the library knows is never kept here. */

const CACHE = "octavo-desk";
const PAGE = "/desk/";
const FILES = "/desk/files.json";

async function fill() {
  const cache = await caches.open(CACHE);
  const { files } = await (await fetch(FILES, { cache: "no-store" })).json();
  const wanted = new Set(files);
  // The name of a file holds a hash of its content: a file that is kept is never fetched again. The page is.
  for (const { url } of await cache.keys()) {
    const isWanted = wanted.delete(new URL(url).pathname);
    if (!isWanted && new URL(url).pathname !== PAGE) await cache.delete(url);
  }
  await cache.addAll([PAGE, ...wanted]);
}

self.addEventListener("install", (event) => event.waitUntil(fill().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin || !pathname.startsWith("/desk")) return;
  if (pathname.startsWith("/desk/assets/")) {
    event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)));
  } else if (event.request.mode === "navigate") {
    // The newest desk where there is a connection; what it is made of is fetched for the next time without one.
    const newest = fetch(event.request).then((page) => {
      event.waitUntil(fill().catch(() => {}));
      return page;
    });
    event.respondWith(newest.catch(() => caches.match(PAGE)));
  }
});
