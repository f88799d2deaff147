// @ts-check
/// <reference lib="webworker" />

/** @typedef {import('../../server/push/push.ts').PushPayload} PushPayload */
/** @typedef {import('../../server/push/owner-devices.ts').AlarmPayload} AlarmPayload */
/** @typedef {import('../../platform/language.ts').Language} Language */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const shell = 'shell-2';
const shellFiles = ['/offline.html', '/icon-192.png', '/badge-96.png'];
// The texts of each language, which the route of this file fills in.
/** @type {Record<Language, typeof import('../../messages/id/browser.json')['serviceWorker']>} */
const texts = /** @type {any} */ ('{{serviceWorker}}');
const languages = /** @type {Language[]} */ (Object.keys(texts));
const manyTag = 'many-notifications';
// A phone that slept gets all pushes of the night at once. From the fifth on, one notification stands for all.
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
  event.waitUntil(showPush(event.data?.text() ?? ''));
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

/** @type {(title: string, options: NotificationOptions & { renotify?: boolean }) => Promise<void>} */
const display = (title, options) =>
  worker.registration.showNotification(title, { icon: '/icon-192.png', badge: '/badge-96.png', ...options });

/** Whether each push must end in a notification. WebKit ends the subscription at the third that does not. */
async function mustShow() {
  const subscription = await worker.registration.pushManager.getSubscription().catch(() => null);
  return subscription !== null && new URL(subscription.endpoint).hostname.endsWith('.push.apple.com');
}

// Shows what was pushed. After an error a device that must show something shows that something is new.
/** @param {string} text */
async function showPush(text) {
  try {
    /** @type {PushPayload | AlarmPayload} */
    const payload = JSON.parse(text);
    await ('alarm' in payload ? showAlarm(payload) : show(payload));
  } catch (error) {
    if (!(await mustShow())) throw error;
    await display(texts[languages[0]].newNotification, { silent: true, tag: 'new' });
  }
}

// Shows an alarm for an owner. A newer one of the same kind and key replaces it, and rings again.
/** @type {(alarm: AlarmPayload) => Promise<void>} */
const showAlarm = ({ tag, title, body, language }) =>
  display(title, { body, tag, renotify: true, lang: language, data: { href: '/owner' } });

// In the order in which they came: each one counts what the device shows, and a withdrawal closes what came before.
let lastShown = Promise.resolve();

// Shows a pushed notification, unless a visible portal opens a pop-up for it. Silent where a portal rings for it.
/** @param {PushPayload} payload */
function show(payload) {
  const language = languages.find((name) => name === payload.language) ?? languages[0];
  const { withdrawn } = payload;
  const asking = withdrawn ? Promise.resolve([]) : askWindows();
  lastShown = lastShown
    .catch(() => {})
    .then(async () => (withdrawn ? close(language, payload, withdrawn) : showOne(language, payload, await asking)));
  return lastShown;
}

/** @type {(language: Language, payload: PushPayload, answers: PageAnswer[]) => Promise<void>} */
async function showOne(language, payload, answers) {
  const isLookedAt = answers.some(({ looked }) => looked);
  // A corrected one that the device still shows is replaced, whoever looks.
  const isReplaced = payload.corrected && (await shownAs(tagOf(payload.no))).length > 0;
  if (isLookedAt && !isReplaced && !(await mustShow())) return;
  if (await showAsMany(language, payload.no)) return;
  const said = texts[language];
  // Functions, because `$&` in a name or a title would be replaced in a string.
  const from = (payload.isManual ? said.fromPerson : said.fromSystem).replace('{name}', () => payload.sender);
  const leads = payload.opens ? [said.opens.replace('{host}', payload.opens)] : [];
  const by = payload.correctedBy ?? '';
  const corrected = by ? [said.correctedBy.replace('{name}', () => by)] : payload.corrected ? [said.corrected] : [];
  await display(payload.reminds ? said.reminder.replace('{title}', () => payload.title) : payload.title, {
    body: `${payload.body ?? said.hidden}\n${[from, ...corrected, ...leads].join(' · ')}`,
    lang: language,
    tag: tagOf(payload.no),
    renotify: payload.back === true,
    silent: payload.silent || answers.some(({ looked, rings }) => looked || rings),
    data: { href: `/portal/notifications/${payload.no}` },
  });
}

const tagStart = 'notification-';
/** @param {number} no */
const tagOf = (no) => `${tagStart}${no}`;
/** @param {string} tag */
const shownAs = (tag) => worker.registration.getNotifications({ tag });

// Shows one in place of many, if the device shows several, and returns whether. A corrected one is not counted again.
/** @type {(language: Language, no: number) => Promise<boolean>} */
async function showAsMany(language, no) {
  const all = await worker.registration.getNotifications();
  const single = all.filter(({ tag }) => tag.startsWith(tagStart) && tag !== tagOf(no));
  const { count = 0, numbers = [] } = all.find(({ tag }) => tag === manyTag)?.data ?? {};
  if (count === 0 && single.length < maxSingle) return false;
  const isCounted = numbers.includes(no);
  for (const one of single) one.close();
  const added = single.map(({ tag }) => Number(tag.slice(tagStart.length)));
  await showMany(language, count + single.length + (isCounted ? 0 : 1), [...new Set([...numbers, ...added, no])]);
  return true;
}

// Shows the notification that stands for many: how many, and their numbers. It is silent: each of the first ones rang.
/** @type {(lang: Language, count: number, numbers: number[]) => Promise<void>} */
const showMany = (lang, count, numbers) =>
  display(texts[lang].many.replace('{count}', String(count)), {
    body: texts[lang].manyText,
    lang,
    tag: manyTag,
    silent: true,
    data: { href: '/portal/notifications', count, numbers },
  });

// Closes what was withdrawn, alone and among many. A device that must show something tells it.
/** @type {(lang: Language, payload: PushPayload, withdrawn: number[]) => Promise<void>} */
async function close(lang, { no, title, body }, withdrawn) {
  const all = await worker.registration.getNotifications();
  for (const one of all) if (withdrawn.some((closed) => one.tag === tagOf(closed))) one.close();
  const group = all.find(({ tag }) => tag === manyTag);
  /** @type {number[]} */
  const numbers = group?.data?.numbers ?? [];
  const left = numbers.filter((one) => !withdrawn.includes(one));
  const count = (group?.data?.count ?? 0) - (numbers.length - left.length);
  if (group && count === 0) group.close();
  else if (left.length < numbers.length) return showMany(lang, count, left);
  const data = { href: '/portal/notifications' };
  if (await mustShow()) await display(title, { body: body ?? '', lang, tag: tagOf(no), silent: true, data });
}

// What a window does about a notification. `app/portal/live/store/browser-events.ts` knows the names, too.
/** @typedef {{ alive: boolean, looked: boolean, rings: boolean }} PageAnswer */

// Asks a window. One that does not answer within 400 ms is frozen or no portal.
/** @type {(window: WindowClient) => Promise<PageAnswer>} */
const ask = (window) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve({ alive: false, looked: false, rings: false }), 400);
    window.postMessage('portal?', [port2]);
  });

// All windows, because `url` is the address a window was opened with, not its current one.
const askWindows = async () =>
  Promise.all((await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })).map(ask));

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.href ?? '/portal/notifications'));
});

// Opens an address of the portal in a window that is signed in, an owner's page in one that shows one, or a new window.
/** @param {string} href */
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
