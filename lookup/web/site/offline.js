// The service worker: caches the page, so that it works offline after the first visit. The build fills in FILES and VERSION.

const VERSION = "@VERSION@";
const FILES = @FILES@;

// Several copies of the page may share this host: the path in the name separates their caches. A path has no blanks.
const MINE = ` ${new URL(self.registration.scope).pathname}`;
const CACHE = `bouton-${VERSION}${MINE}`;

const address = (file) => new URL(file, self.registration.scope).href;
const ADDRESSES = new Set(FILES.map(address));

/** Fetches the files that are not cached: all at first, later those that the browser has removed. */
async function fill() {
  const cache = await caches.open(CACHE);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const lacking = [...ADDRESSES].filter((url) => !kept.has(url));
  await cache.addAll(lacking.map((url) => new Request(url, { cache: "reload" })));
}

let filling;

self.addEventListener("install", (event) => {
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const mine = (await caches.keys()).filter((name) => name.startsWith("bouton-") && name.endsWith(MINE));
      await Promise.all(mine.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.search = url.hash = "";
  if (event.request.method !== "GET" || !ADDRESSES.has(url.href)) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(CACHE);
      const kept = await cache.match(url.href);
      if (kept) return kept;
      filling ??= fill()
        .catch(() => {})
        .finally(() => (filling = undefined));
      event.waitUntil(filling);
      return fetch(event.request);
    })(),
  );
});
