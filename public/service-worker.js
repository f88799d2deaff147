// @ts-check
/// <reference lib="webworker" />

/** @typedef {import('../server/push.ts').PushPayload} PushPayload */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const shell = 'shell-1';
const shellFiles = ['/offline.html', '/icon-192.png', '/badge-96.png'];
const appears = { id: 'Notifikasi baru', en: 'New notification' };
const from = { id: 'dari sistem “%” perusahaan Anda', en: 'from your company’s system “%”' };
const fromPerson = { id: 'dari % di perusahaan Anda', en: 'from % at your company' };
const reminder = { id: 'Pengingat: %', en: 'Reminder: %' };
const hidden = { id: 'Isi disembunyikan. Ketuk untuk melihat.', en: 'Text hidden. Tap to show.' };

// Only the page that says "you are offline" is kept: everything else belongs to a person and is always asked for.
worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(shellFiles)));
  void worker.skipWaiting();
});

worker.addEventListener('activate', (event) => {
  const forgetOld = async () => {
    for (const name of await caches.keys()) if (name !== shell) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(forgetOld());
});

worker.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || event.request.method !== 'GET') return;
  const offline = async () => (await caches.match('/offline.html')) ?? Response.error();
  event.respondWith(fetch(event.request).catch(offline));
});

worker.addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.text() ?? ''));
});

/** @param {string} text */
async function show(text) {
  const payload = readPayload(text);
  const language = payload?.language === 'en' ? 'en' : 'id';
  // All of them: the address a window tells is the one it was opened with.
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const answers = await Promise.all(windows.map(ask));
  // A portal that is looked at pops it up itself; one in the background may ring for it.
  if (answers.some(({ looked }) => looked)) return;
  if (!payload) return worker.registration.showNotification(appears[language], { icon: '/icon-192.png' });
  const body = payload.body ?? hidden[language];
  // Functions, because a name or a title may hold what stands for something in a replacement text.
  const sender = (payload.byHand ? fromPerson : from)[language].replace('%', () => payload.sender);
  const title = payload.reminds ? reminder[language].replace('%', () => payload.title) : payload.title;
  return worker.registration.showNotification(title, {
    body: `${body}\n${sender}`,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    lang: language,
    tag: `notification-${payload.no}`,
    silent: payload.silent || answers.some(({ rings }) => rings),
    data: { href: payload.href ?? `/portal/notifications#n${payload.no}` },
  });
}

/**
 * Asks a window what it does about a notification itself; one that is no portal, is frozen, or has no session any more, says
 * nothing or no.
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
 * @param {string} text
 * @returns {PushPayload | null}
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

/** @param {string} href */
async function open(href) {
  const address = new URL(href, worker.location.origin);
  if (address.origin !== worker.location.origin) return;
  const windows = await worker.clients.matchAll({ type: 'window' });
  const answers = await Promise.all(windows.map(ask));
  const portal = windows.find((_, index) => answers[index]?.alive);
  if (!portal) return void (await worker.clients.openWindow(address.href));
  await portal.focus();
  await portal.navigate(address.href).catch(() => worker.clients.openWindow(address.href));
}
