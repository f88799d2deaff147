// @ts-check
/// <reference lib="webworker" />

/** @typedef {import('../server/push/push.ts').PushPayload} PushPayload */
/** @typedef {import('../server/push/alarm-payload.ts').AlarmPayload} AlarmPayload */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const shell = 'shell-2';
const shellFiles = ['/offline.html', '/icon-192.png', '/badge-96.png'];
const plainTitle = { id: 'Notifikasi baru', en: 'New notification' };
const fromSystem = { id: 'dari sistem “%” perusahaan Anda', en: 'from your company’s system “%”' };
const fromPerson = { id: 'dari % di perusahaan Anda', en: 'from % at your company' };
const reminder = { id: 'Pengingat: %', en: 'Reminder: %' };
const many = { id: '% notifikasi baru', en: '% new notifications' };
const manyText = { id: 'Ketuk untuk membacanya.', en: 'Tap to read them.' };
const manyTag = 'many-notifications';
// A phone that slept gets all pushes of the night at once. From the fifth on, one notification
// stands for all of them.
const maxSingle = 4;
const hidden = { id: 'Isi disembunyikan. Ketuk untuk melihat.', en: 'Text hidden. Tap to show.' };

// Only the offline page is cached. Everything else belongs to a person and is always fetched.
worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(shellFiles)));
  void worker.skipWaiting();
});

worker.addEventListener('activate', (event) => {
  const deleteOldCaches = async () => {
    for (const name of await caches.keys()) if (name !== shell) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(deleteOldCaches());
});

worker.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || event.request.method !== 'GET') return;
  const offline = async () => (await caches.match('/offline.html')) ?? Response.error();
  event.respondWith(fetch(event.request).catch(offline));
});

worker.addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.text() ?? ''));
});

// One after another: each one counts what the device shows.
let lastShown = Promise.resolve();

/**
 * Runs `display` when those before it are done.
 * @param {() => Promise<void>} display
 */
function inTurn(display) {
  lastShown = lastShown.catch(() => {}).then(display);
  return lastShown;
}

/**
 * Shows one notification in place of many, if the device shows several already. It is silent: each
 * of the first ones rang. Returns whether it did.
 * @param {'id' | 'en'} language
 * @param {PushPayload} payload
 */
async function showAsMany(language, payload) {
  const all = await worker.registration.getNotifications();
  const single = all.filter(({ tag }) => tag.startsWith('notification-') && tag !== `notification-${payload.no}`);
  const group = all.find(({ tag }) => tag === manyTag);
  if (!group && single.length < maxSingle) return false;
  const count = (group?.data?.count ?? 0) + single.length + 1;
  for (const one of single) one.close();
  await worker.registration.showNotification(many[language].replace('%', String(count)), {
    body: manyText[language],
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    lang: language,
    tag: manyTag,
    silent: true,
    data: { href: '/portal/notifications', count },
  });
  return true;
}

/**
 * Shows an alarm for an owner. A newer one of the same kind and key replaces it, and rings again.
 * @param {AlarmPayload} alarm
 */
function showAlarm({ tag, title, body, language }) {
  const options = { body, tag, renotify: true, lang: language, icon: '/icon-192.png', badge: '/badge-96.png' };
  return worker.registration.showNotification(title, { ...options, data: { href: '/owner' } });
}

/**
 * Shows a pushed notification, unless a visible portal opens a pop-up for it. Silent where a
 * portal in the background rings for it.
 * @param {string} text
 */
async function show(text) {
  const payload = readPayload(text);
  if (payload && 'alarm' in payload) return showAlarm(payload);
  const language = payload?.language === 'en' ? 'en' : 'id';
  // All windows, because `url` is the address a window was opened with, not its current one.
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const answers = await Promise.all(windows.map(ask));
  if (answers.some(({ looked }) => looked)) return;
  if (!payload) return worker.registration.showNotification(plainTitle[language], { icon: '/icon-192.png' });
  const body = payload.body ?? hidden[language];
  // Functions, because `$&` in a name or a title would be replaced in a string.
  const sender = (payload.byHand ? fromPerson : fromSystem)[language].replace('%', () => payload.sender);
  const title = payload.reminds ? reminder[language].replace('%', () => payload.title) : payload.title;
  return inTurn(async () => {
    if (await showAsMany(language, payload)) return;
    await worker.registration.showNotification(title, {
      body: `${body}\n${sender}`,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      lang: language,
      tag: `notification-${payload.no}`,
      silent: payload.silent || answers.some(({ rings }) => rings),
      data: { href: `/portal/notifications/${payload.no}` },
    });
  });
}

/**
 * Asks a window what it does about a notification. A window that does not answer within 400 ms is
 * frozen or no portal. The names of the answer are also known to
 * `app/portal/live/store/browser-events.ts`.
 * @param {WindowClient} window
 * @returns {Promise<{ alive: boolean, looked: boolean, rings: boolean }>}
 */
function ask(window) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve({ alive: false, looked: false, rings: false }), 400);
    window.postMessage('portal?', [port2]);
  });
}

/**
 * Reads the payload of a push, or null if it is not JSON.
 * @param {string} text
 * @returns {PushPayload | AlarmPayload | null}
 */
function readPayload(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.href ?? '/portal/notifications'));
});

/**
 * Opens an address of the portal in a window that is signed in, one of the owner's pages in a window
 * that shows one, or a new window.
 * @param {string} href
 */
async function open(href) {
  const address = new URL(href, worker.location.origin);
  if (address.origin !== worker.location.origin) return;
  const windows = await worker.clients.matchAll({ type: 'window' });
  const answers = await Promise.all(windows.map(ask));
  const isOwners = address.pathname.startsWith('/owner');
  const shown = windows.find(({ url }, index) =>
    isOwners ? new URL(url).pathname.startsWith('/owner') : answers[index]?.alive,
  );
  if (!shown) return void (await worker.clients.openWindow(address.href));
  await shown.focus();
  await shown.navigate(address.href).catch(() => worker.clients.openWindow(address.href));
}
