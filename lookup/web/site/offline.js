// The service worker: caches the page, so that the page works offline after the first visit. The build fills in VERSION
// and FILES.

const VERSION = "@VERSION@";
const FILES = @FILES@;

// Several copies of the page may share this host: the path in the name separates their caches. (A path has no blanks.)
const SUFFIX = ` ${new URL(self.registration.scope).pathname}`;
const CACHE = `bouton-${VERSION}${SUFFIX}`;

const address = (file) => new URL(file, self.registration.scope).href;
const ADDRESSES = new Set(FILES.map(address));

/** Fetches the files that are not cached: at first all, later those that the browser has removed. */
async function fill() {
  const cache = await caches.open(CACHE);
  const cached = new Set((await cache.keys()).map(({ url }) => url));
  const missing = [...ADDRESSES].filter((url) => !cached.has(url));
  await cache.addAll(missing.map((url) => new Request(url, { cache: "reload" })));
}

/** The running call of `fill`, if there is one. */
let filling;

self.addEventListener("install", (event) => {
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const mine = (await caches.keys()).filter((name) => name.startsWith("bouton-") && name.endsWith(SUFFIX));
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
      const cached = await cache.match(url.href);
      if (cached) return cached;
      filling ??= fill()
        .catch(() => {})
        .finally(() => (filling = undefined));
      event.waitUntil(filling);
      return fetch(event.request);
    })(),
  );
});
