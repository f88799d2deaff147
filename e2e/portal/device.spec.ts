import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, test, waitForAction, within20s } from '#e2e/support/browser/browser.ts';
import { makeDeviceKeys, pushServicePort, startPushService } from '#e2e/support/browser/push-device.ts';
import { lacks } from '#e2e/support/programs.ts';
import { addMyself } from '#server/employees/employees.ts';

// The push service of all tests of this file, on the port that PUSH_SERVICES names.
let service: Awaited<ReturnType<typeof startPushService>>;

test.describe.configure({ mode: 'serial' });
test.beforeEach(() => test.info().skip(lacks('chromium'), 'the headless shell has no notifications'));
test.beforeAll(async () => {
  service = await startPushService(pushServicePort);
});
test.afterAll(() => service?.stop());

/** Gives the page a push manager whose subscriptions lead to this file's push service. */
async function giveDevice(page: Page) {
  const keys = makeDeviceKeys();
  const path = `/device/${randomUUID()}`;
  const subscription = { endpoint: `${service.origin}${path}`, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript((given) => {
    const record = window as unknown as { subscribed?: boolean; asked: number };
    record.asked = 0;
    record.subscribed = sessionStorage.getItem('subscribed') === 'yes';
    const fake = {
      endpoint: given.endpoint,
      toJSON: () => given,
      unsubscribe: async () => {
        record.subscribed = false;
        sessionStorage.removeItem('subscribed');
        return true;
      },
    };
    Notification.requestPermission = async () => {
      record.asked++;
      return 'granted';
    };
    PushManager.prototype.subscribe = async (options) => {
      document.documentElement.dataset.serverKey = String(options?.applicationServerKey);
      record.subscribed = true;
      sessionStorage.setItem('subscribed', 'yes');
      return fake as unknown as PushSubscription;
    };
    PushManager.prototype.getSubscription = async () =>
      record.subscribed ? (fake as unknown as PushSubscription) : null;
  }, subscription);
  const countAsked = () => page.evaluate(() => (window as unknown as { asked: number }).asked);
  return { path, keys, countAsked };
}

const deviceSwitch = (page: Page) => page.getByRole('switch', { name: 'Aktifkan notifikasi di perangkat ini' });

test('the permission is asked for at the switch, which switches on', async ({ page, signInAsEmployee, send }) => {
  const device = await giveDevice(page);
  await signInAsEmployee(page);
  for (const path of ['/portal/notifications', '/portal/settings']) {
    await page.goto(path);
    expect(await device.countAsked()).toBe(0);
  }
  await expect(page.getByText('Browser akan meminta izin.')).toBeVisible();
  await expect(deviceSwitch(page)).toBeEnabled();
  await deviceSwitch(page).press('Space');
  await expect(deviceSwitch(page)).toBeChecked();
  await send({ judul: 'Ke perangkat' });
  await expect
    .poll(() => service.messagesOf(device), within20s)
    .toMatchObject([{ title: 'Ke perangkat', body: 'Isi' }]);
  const signed = service.posts.find(({ path }) => path === device.path)?.headers.authorization;
  expect(signed).toContain(`k=${await page.locator('html').getAttribute('data-server-key')}`);
});

test('the card switches a device on; a lost subscription is made again', async ({ page, signInAsEmployee }) => {
  await giveDevice(page);
  await signInAsEmployee(page);
  await card(page)
    .getByRole('button', { name: /^Tetap/ })
    .click();
  await expect(card(page)).toContainText('Jangan');
  await expect(card(page).getByRole('switch')).toBeEnabled();
  await waitForAction(page, () => card(page).getByRole('switch').press('Space'));
  await expect(card(page)).toContainText('Siap. Perangkat ini tetap memberi tahu Anda');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Notifikasi', exact: true })).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await page.goto('/portal/settings');
  const subscribed = () => page.evaluate(() => sessionStorage.getItem('subscribed'));
  await page.evaluate(() => sessionStorage.removeItem('subscribed'));
  await page.reload();
  await expect.poll(subscribed).toBe('yes');
  await expect(deviceSwitch(page)).toBeChecked();
  await page.evaluate(() => sessionStorage.removeItem('subscribed'));
  await page.context().clearPermissions();
  await page.goto('/portal/notifications');
  await expect(card(page)).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('device-of'))).toBeNull();
  await page.reload();
  await expect(card(page)).toBeVisible();
});

test('the switch and an owner’s alarms share a browser and end apart', async ({ page, company, signIn, send }) => {
  const device = await giveDevice(page);
  await addMyself(company.owner, 'Pemilik Uji');
  await signIn(page, company.username, '/owner/settings/alarms');
  const section = page.locator('#alarm-devices');
  await section.getByRole('button', { name: 'Beri tahu saya di perangkat ini' }).click();
  await expect(section.locator('[data-alarm-device=here]')).toBeVisible();
  await page.goto('/portal/settings');
  await expect(deviceSwitch(page)).toBeEnabled();
  await expect(deviceSwitch(page)).not.toBeChecked();
  await deviceSwitch(page).press('Space');
  await expect(deviceSwitch(page)).toBeChecked();
  await deviceSwitch(page).press('Space');
  await expect(deviceSwitch(page)).not.toBeChecked();
  await send({ judul: 'Tidak ke mana-mana' });
  await page.goto('/owner/settings/alarms');
  await section.getByRole('button', { name: /^Kirim percobaan/ }).click();
  await expect(section).toContainText('Terkirim.');
  expect(service.messagesOf(device)).toMatchObject([{ alarm: 'test' }]);
  // A new session, in which this browser renews its subscription by itself.
  await page.context().clearCookies();
  await signIn(page, company.username, '/owner/settings/alarms');
  await expect(section.locator('[data-alarm-device=here]')).toBeVisible();
});

type Shown = { title: string; body: string; silent: boolean | null; data: { href: string; count?: number } };

/** Delivers messages to the service worker of a signed-in page, and reads what the device shows. */
async function pushToBrowser(page: Page, origin: string) {
  const browser = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations;
      if (one) resolve(one.registrationId);
    });
  });
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered;
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  const common = { no: 7, kind: 'gaji', title: 'Gaji', sender: 'Payroll', silent: false, language: 'id' };
  return {
    push: (payload: Record<string, unknown>) =>
      browser.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: JSON.stringify({ ...common, ...payload }),
      }),
    shown: () =>
      page.evaluate(async (): Promise<Shown[]> => {
        const shown = await (await navigator.serviceWorker.ready).getNotifications();
        return shown.map(({ title, body, silent, data }) => ({ title, body, silent, data }));
      }),
  };
}

test('a device shows a push, unless the portal is visible', async ({ page, context, signInAsEmployee, baseURL }) => {
  await context.grantPermissions(['notifications']);
  await signInAsEmployee(page);
  const { push, shown } = await pushToBrowser(page, baseURL ?? '');
  const asked = page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    navigator.serviceWorker.addEventListener('message', () => setTimeout(resolve, 200));
    return promise;
  });
  await push({ no: 6, body: 'dilihat di portal' });
  await asked;
  expect(await shown()).toEqual([]);
  await page.goto('/invite/tidak-ada');
  await push({ no: 7, body: null });
  await expect.poll(async () => (await shown()).length).toBe(1);
  expect(await shown()).toEqual([
    {
      title: 'Gaji',
      body: 'Isi disembunyikan. Ketuk untuk melihat.\ndari sistem “Payroll” perusahaan Anda',
      silent: false,
      data: { href: '/portal/notifications/7' },
    },
  ]);
  // An alarm of an owner is shown whatever page is open; the next one with its tag replaces it.
  for (const count of [5, 60])
    await push({ alarm: 'repeated-broadcast', tag: 'repeated-1', title: `${count} kali`, body: 'Ketuk' });
  const alarms = async () => (await shown()).filter(({ data }) => data.href === '/owner');
  await expect.poll(async () => (await alarms()).map(({ title }) => title)).toEqual(['60 kali']);
  // A phone that slept gets the pushes of a night at once: one silent notification stands for them.
  for (let no = 8; no <= 307; no++) await push({ no, title: `Malam ${no}`, body: 'Isi' });
  const night = async () => (await shown()).filter(({ title }) => /Malam|notifikasi/.test(title));
  await expect
    .poll(night, within20s)
    .toMatchObject([{ title: '301 notifikasi baru', silent: true, data: { href: '/portal/notifications' } }]);
});

test('a device replaces corrected and closes withdrawn ones', async ({ page, context, signInAsEmployee, baseURL }) => {
  await context.grantPermissions(['notifications']);
  await signInAsEmployee(page);
  const { push, shown } = await pushToBrowser(page, baseURL ?? '');
  await page.goto('/invite/tidak-ada');
  const withdraw = (...withdrawn: number[]) =>
    push({ no: withdrawn[0], title: 'Pesan ditarik', body: 'Ditarik', withdrawn, silent: true });
  const titles = async () => (await shown()).map(({ title }) => title).toSorted();
  for (const no of [1, 2]) await push({ no, title: `Rapat ${no}`, body: 'Jam 8' });
  await expect.poll(titles, within20s).toEqual(['Rapat 1', 'Rapat 2']);
  await push({ no: 1, title: 'Rapat pagi', body: 'Jam 9', corrected: true, correctedBy: 'Siti', silent: true });
  await expect.poll(titles, within20s).toEqual(['Rapat 2', 'Rapat pagi']);
  const body = 'Jam 9\ndari sistem “Payroll” perusahaan Anda · dikoreksi oleh Siti';
  const data = { href: '/portal/notifications/1' };
  expect(await shown()).toContainEqual({ title: 'Rapat pagi', body, silent: true, data });
  await withdraw(1);
  await expect.poll(titles, within20s).toEqual(['Rapat 2']);
  await withdraw(2);
  await expect.poll(shown, within20s).toEqual([]);
  // Both came at once, as on a phone that slept: the withdrawal waits until what it closes is shown.
  await push({ no: 3, title: 'Rapat 3', body: 'Jam 8' });
  await withdraw(3);
  await push({ no: 4, title: 'Rapat 4', body: 'Jam 8' });
  await expect.poll(titles, within20s).toContain('Rapat 4');
  expect(await titles()).toEqual(['Rapat 4']);
  await withdraw(4);
  await expect.poll(shown, within20s).toEqual([]);
  for (const no of [11, 12, 13, 14, 15]) await push({ no, title: `Malam ${no}`, body: 'Isi' });
  await expect.poll(shown, within20s).toMatchObject([{ title: '5 notifikasi baru', data: { count: 5 } }]);
  await push({ no: 12, title: 'Malam kedua', body: 'Isi', corrected: true, silent: true });
  await withdraw(11, 13);
  await expect.poll(shown, within20s).toMatchObject([{ title: '3 notifikasi baru', silent: true }]);
  await withdraw(12, 14, 15);
  await expect.poll(shown, within20s).toEqual([]);
});

test('the portal can be installed; its worker caches the offline page only', async ({ portal: page, context }) => {
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await (await page.request.get(href ?? '')).json();
  expect(manifest).toMatchObject({ start_url: '/portal', display: 'standalone' });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return lists.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached.toSorted()).toEqual(['/badge-96.png', '/icon-192.png', '/offline.html']);
  await page.reload();
  await context.setOffline(true);
  await page.evaluate(() => location.assign('/portal/notifications'));
  await expect(page.getByRole('heading', { name: 'Anda sedang offline' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Notifikasi', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/portal/notifications');
});

const card = (page: Page) => page.getByRole('region', { name: /^Tetap (berbunyi|diberi tahu)/ });

for (const [device, userAgent, steps] of [
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1', 'Tambahkan ke Layar Utama'],
  ['an Android phone', 'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36', 'Tambahkan ke layar utama'],
] as const)
  test(`the card tells ${device} its own steps, and stays closed here`, async ({ visit, signInAsEmployee }) => {
    const page = await visit({ userAgent });
    await page.addInitScript((isIphone) => {
      // Before it is on the home screen, an iPhone has no push.
      if (isIphone) Reflect.deleteProperty(window, 'PushManager');
      else Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    }, device === 'an iPhone');
    await signInAsEmployee(page);
    await page.reload();
    const phoneCard = page.getByRole('region', { name: 'Tetap berbunyi saat HP terkunci' });
    await phoneCard.getByRole('button', { name: /^Tetap/ }).click();
    // Chrome offers to install at a moment of its own.
    if (device === 'an Android phone') await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt')));
    await expect(phoneCard).toContainText(steps);
    await card(page).getByRole('button', { name: 'Tutup' }).click();
    await expect(card(page)).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Notifikasi', exact: true })).toBeVisible();
    await expect(card(page)).toHaveCount(0);
  });
