// @ts-check
/// <reference lib="webworker" />

/** @typedef {import('../../server/push/push.ts').PushPayload} PushPayload */
/** @typedef {import('../../server/push/owner-devices.ts').AlarmPayload} AlarmPayload */
/** @typedef {import('../../platform/language.ts').Language} Language */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const shell = 'shell-2';
const shellFiles = ['/offline.html', '/icon-192.png', '/badge-96.png'];
/**
 * The texts of each language, which the route of this file fills in.
 * @type {Record<Language, typeof import('../../messages/id/browser.json')['serviceWorker']>}
 */
const texts = /** @type {any} */ ('{{serviceWorker}}');
const manyTag = 'many-notifications';
// A phone that slept gets all pushes of the night at once. From the fifth on, one notification
// stands for all of them.
const maxSingle = 4;

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
  event.waitUntil(showOrSaySo(event.data?.text() ?? ''));
});

// The browser has ended the subscription. Open pages store the new one; else the next visit does.
worker.addEventListener('pushsubscriptionchange', (/** @type {any} */ event) => {
  const renew = async () => {
    const options = event.oldSubscription?.options;
    if (!event.newSubscription && options) await worker.registration.pushManager.subscribe(options);
    for (const window of await worker.clients.matchAll({ type: 'window' })) window.postMessage('subscription-changed');
  };
  event.waitUntil(renew());
});

/**
 * Whether each push must end in a notification. WebKit counts those that do not, forgets none of them,
 * and ends the subscription at the third.
 */
async function mustShow() {
  const subscription = await worker.registration.pushManager.getSubscription().catch(() => null);
  return subscription !== null && new URL(subscription.endpoint).hostname.endsWith('.push.apple.com');
}

/**
 * Shows a push. After an error a device that must show something shows that something is new.
 * @param {string} text
 */
async function showOrSaySo(text) {
  try {
    await show(text);
  } catch (error) {
    if (!(await mustShow())) throw error;
    const [language] = /** @type {Language[]} */ (Object.keys(texts));
    await showUnknown(texts[language].newNotification, true);
  }
}

/**
 * @param {string} title
 * @param {boolean} silent
 */
const showUnknown = (title, silent) =>
  worker.registration.showNotification(title, { icon: '/icon-192.png', silent, tag: 'new' });

// In the order in which they came: each one counts what the device shows, and a withdrawal closes what came before.
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
 * of the first ones rang. Returns whether it did. A corrected one that it stands for is not counted
 * again.
 * @param {Language} language
 * @param {PushPayload} payload
 */
async function showAsMany(language, payload) {
  const all = await worker.registration.getNotifications();
  const single = all.filter(({ tag }) => tag.startsWith('notification-') && tag !== tagOf(payload.no));
  const group = all.find(({ tag }) => tag === manyTag);
  if (!group && single.length < maxSingle) return false;
  const numbers = new Set([...(group?.data?.numbers ?? []), ...single.map(numberOf)]);
  const isCounted = numbers.has(payload.no);
  numbers.add(payload.no);
  for (const one of single) one.close();
  await showMany(language, (group?.data?.count ?? 0) + single.length + (isCounted ? 0 : 1), [...numbers]);
  return true;
}

/**
 * Shows the notification that stands for many: how many, and their numbers.
 * @param {Language} language
 * @param {number} count
 * @param {number[]} numbers
 */
function showMany(language, count, numbers) {
  return worker.registration.showNotification(texts[language].many.replace('{count}', String(count)), {
    body: texts[language].manyText,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    lang: language,
    tag: manyTag,
    silent: true,
    data: { href: '/portal/notifications', count, numbers },
  });
}

/**
 * Closes what was withdrawn, alone and among many. A device that must show something tells it.
 * @param {Language} language
 * @param {PushPayload} payload
 * @param {number[]} withdrawn
 */
async function close(language, payload, withdrawn) {
  const all = await worker.registration.getNotifications();
  for (const one of all) if (withdrawn.some((no) => one.tag === tagOf(no))) one.close();
  const group = all.find(({ tag }) => tag === manyTag);
  /** @type {number[]} */
  const numbers = group?.data?.numbers ?? [];
  const left = numbers.filter((no) => !withdrawn.includes(no));
  const count = (group?.data?.count ?? 0) - (numbers.length - left.length);
  if (group && count === 0) group.close();
  else if (left.length < numbers.length) return showMany(language, count, left);
  if (await mustShow())
    await worker.registration.showNotification(payload.title, {
      body: payload.body ?? '',
      icon: '/icon-192.png',
      lang: language,
      tag: tagOf(payload.no),
      silent: true,
      data: { href: '/portal/notifications' },
    });
}

/** @param {number} no */
const tagOf = (no) => `notification-${no}`;

/** @param {Notification} notification */
const numberOf = ({ tag }) => Number(tag.slice('notification-'.length));

/**
 * Shows an alarm for an owner. A newer one of the same kind and key replaces it, and rings again.
 * @param {AlarmPayload} alarm
 */
function showAlarm({ tag, title, body, language }) {
  const options = { body, tag, renotify: true, lang: language, icon: '/icon-192.png', badge: '/badge-96.png' };
  return worker.registration.showNotification(title, { ...options, data: { href: '/owner' } });
}

/**
 * Shows a pushed notification, unless a visible portal opens a pop-up for it. Silent where a portal
 * rings for it.
 * @param {string} text
 */
async function show(text) {
  const payload = readPayload(text);
  if (payload && 'alarm' in payload) return showAlarm(payload);
  const known = /** @type {Language[]} */ (Object.keys(texts));
  const language = known.find((name) => name === payload?.language) ?? known[0];
  const said = texts[language];
  const { withdrawn } = payload ?? {};
  if (payload && withdrawn) return inTurn(() => close(language, payload, withdrawn));
  // All windows, because `url` is the address a window was opened with, not its current one.
  const asking = worker.clients
    .matchAll({ type: 'window', includeUncontrolled: true })
    .then((windows) => Promise.all(windows.map(ask)));
  if (!payload) {
    const isLookedAt = (await asking).some(({ looked }) => looked);
    return isLookedAt && !(await mustShow()) ? undefined : showUnknown(said.newNotification, isLookedAt);
  }
  const body = payload.body ?? said.hidden;
  // Functions, because `$&` in a name or a title would be replaced in a string.
  const from = (payload.isManual ? said.fromPerson : said.fromSystem).replace('{name}', () => payload.sender);
  const leads = payload.opens ? [said.opens.replace('{host}', payload.opens)] : [];
  const by = payload.correctedBy ?? '';
  const corrected = by ? [said.correctedBy.replace('{name}', () => by)] : payload.corrected ? [said.corrected] : [];
  const sender = [from, ...corrected, ...leads].join(' · ');
  const title = payload.reminds ? said.reminder.replace('{title}', () => payload.title) : payload.title;
  return inTurn(async () => {
    const answers = await asking;
    const isLookedAt = answers.some(({ looked }) => looked);
    if ((isLookedAt && !(await mustShow())) || (await showAsMany(language, payload))) return;
    await worker.registration.showNotification(title, {
      body: `${body}\n${sender}`,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      lang: language,
      tag: tagOf(payload.no),
      renotify: payload.back === true,
      silent: payload.silent || answers.some(({ looked, rings }) => looked || rings),
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
