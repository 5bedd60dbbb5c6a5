// Keeps the page, so that it works without a network after the first visit. FILES and VERSION are filled in when the site is made.

const VERSION = "@VERSION@";
const FILES = @FILES@;

// Other copies of the page on this host keep their own files, and a path has no blanks.
const MINE = ` ${new URL(self.registration.scope).pathname}`;
const CACHE = `bouton-${VERSION}${MINE}`;

const address = (file) => new URL(file, self.registration.scope).href;
const ADDRESSES = new Set(FILES.map(address));

/** Fetches the files that are not kept: all at first, and later those that something has removed. */
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
