import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright/test';
import { sql } from '#db/client.ts';
import { countTones, entries, expect, popUps, steady, test, within20s } from '#e2e/support/browser/browser.ts';
import { service } from '#e2e/support/browser/host-page.ts';
import { bell, expectNoMoreTones, expectPopUp, expectSoundOn, soundButton } from '#e2e/support/browser/portal-pages.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { startMovingAddress } from '#e2e/support/proxies/tcp-proxy.ts';

test('what arrived before the sign-in is one line, without sound', async ({ page, company, signIn, send }) => {
  const tones = await countTones(page);
  const username = await company.giveAccount(await company.hire());
  for (const jenis of ['gaji', 'gaji', 'timer', 'info']) await send({ judul: 'Kiriman', jenis });
  await signIn(page, username);
  await expect(page.getByRole('link', { name: 'Belum dibaca (4)' })).toBeVisible();
  await expect(page.locator('[data-connection=connected]')).toContainText('Terhubung');
  await expect(popUps(page)).toHaveCount(0);
  expect(await tones()).toBe(0);
});

test('an hour of silence lists without sound in all tabs', async ({ portal: page, tones, context, send }) => {
  const second = steady(await context.newPage());
  await second.goto('/portal/settings');
  await second.getByRole('button', { name: 'Senyap selama 1 jam' }).click();
  await expect(second.locator('#quiet').getByText(/^Senyap sampai \d\d\.\d\d$/)).toBeVisible();
  await send({ judul: 'Saat senyap' });
  for (const tab of [page, second]) {
    await expect(bell(tab, 1)).toBeVisible(within20s);
    await expect(popUps(tab)).toHaveCount(0);
  }
  await expect(entries(page).filter({ hasText: 'Saat senyap' })).toBeVisible();
  expect(await tones()).toBe(0);
  await second.close();
  await page.reload();
  await soundButton(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Matikan senyap' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Senyap selama 1 jam' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectSoundOn(page);
  await send({ judul: 'Sesudah senyap' });
  await expectPopUp(page, 'Sesudah senyap');
  await expect.poll(tones).toBe(2);
});

const dayAndMoreMs = 26 * 60 * 60 * 1000;

test('quiet and times follow the service, not the clock', async ({ page, company, signIn, send, visit }) => {
  const { companyId } = company.owner;
  await sql()`update companies set must_confirm_kinds = '{absen}' where id = ${companyId}`;
  const username = await company.giveAccount(await company.hire());
  const behind = await visit();
  await page.clock.install({ time: Date.now() + dayAndMoreMs });
  await behind.clock.install({ time: Date.now() - dayAndMoreMs });
  for (const device of [page, behind]) await signIn(device, username, '/portal/settings');
  await page.getByRole('button', { name: 'Senyap selama 1 jam' }).click();
  await expect(page.locator('#quiet').getByText(/^Senyap sampai \d\d\.\d\d$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Matikan senyap' })).toBeVisible();
  await send({ judul: 'Saat senyap', jenis: 'absen' });
  await expect(bell(page, 1)).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(0);
  await sql()`update preferences set silent_until = now() - interval '1 minute' where company_id = ${companyId}`;
  await behind.reload();
  await send({ judul: 'Sesudah senyap' });
  await expectPopUp(behind, 'Sesudah senyap');
  for (const device of [page, behind]) {
    await device.goto('/portal/notifications');
    for (const entry of await entries(device).all())
      await expect(entry.locator('time [aria-hidden]')).toHaveText(/^\d\d\.\d\d$/);
  }
  await page.goto('/portal/notifications/1');
  await page.getByRole('button', { name: /^Sudah baca & paham/ }).click();
  await expect(page.locator('[data-confirmed]')).toHaveText(/(baru saja|\d+ detik yang lalu)$/);
});

test('quiet hours are off at first and are stored with a zone', async ({ page, signInAsEmployee, send }) => {
  await signInAsEmployee(page, '/portal/settings');
  const toggle = page.getByRole('switch', { name: 'Senyap setiap hari' });
  await expect(toggle).not.toBeChecked();
  await toggle.press('Space');
  // Jayapura is nine hours ahead of UTC.
  const inHours = (hours: number) => `${String((new Date().getUTCHours() + 9 + 24 + hours) % 24).padStart(2, '0')}:00`;
  const start = inHours(-6);
  await page.locator('#quiet').getByLabel('Mulai').fill(start);
  await page.locator('#quiet').getByLabel('Sampai').fill(inHours(6));
  await page.locator('#quiet').getByLabel('Zona waktu Anda').selectOption('Asia/Jayapura');
  await page.locator('#quiet').getByRole('button', { name: 'Simpan' }).click();
  await expect(page.locator('#quiet').getByText('Tersimpan', { exact: true })).toBeVisible();
  await send({ judul: 'Jam tenang' });
  await expect(bell(page, 1)).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(0);
  await page.reload();
  await expect(page.locator('#quiet').getByLabel('Zona waktu Anda')).toHaveValue('Asia/Jayapura');
  await page.locator('#quiet').getByLabel('Sampai').fill(start);
  await page.locator('#quiet').getByRole('button', { name: 'Simpan' }).click();
  await expect(page.getByText('Belum benar')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  const missed = 300;
  const unusedPort = 9;

  test('what was missed in quiet never rings; a night rings once', async ({ page, company, signInAsEmployee }) => {
    const tones = await countTones(page);
    const port = Number(new URL(service).port);
    const network = await startMovingAddress(port);
    // `setOffline` leaves the stream of a worker open.
    const offline = async (work: () => Promise<void>) => {
      await page.context().setOffline(true);
      network.moveTo(unusedPort);
      await work();
      network.moveTo(port);
      await page.context().setOffline(false);
    };
    await signInAsEmployee(page, `http://127.0.0.1:${network.port}/portal/help`);
    await soundButton(page).click();
    const menu = page.getByRole('dialog');
    await expect(menu.locator('[data-connection=connected]')).toHaveText('Terhubung');
    await menu.getByRole('button', { name: 'Senyap selama 1 jam' }).click();
    await expect(menu.getByText(/^Senyap sampai \d\d\.\d\d$/)).toBeVisible();
    await page.keyboard.press('Escape');
    await offline(async () => {
      for (let count = 1; count <= 30; count++) await writeManualDraft(company, { title: `Saat tenang ${count}` });
    });
    // Back during the quiet: everything is listed, and nothing rings, also not when it ends.
    await expect(bell(page, 30)).toBeVisible(within20s);
    await soundButton(page).click();
    await menu.getByRole('button', { name: 'Matikan senyap' }).click();
    await expect(menu.getByRole('button', { name: 'Senyap selama 1 jam' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectSoundOn(page);
    await expect(popUps(page)).toHaveCount(0);
    expect(await tones()).toBe(0);
    // The next absence is one summary of what came in it, and one ring.
    await offline(async () => {
      for (let count = 1; count <= missed; count++)
        await writeManualDraft(company, { title: `Terlewat ${count}`, mustConfirm: count === 150 });
    });
    const summary = popUps(page).filter({ hasText: `${missed} notifikasi baru` });
    await expect(summary).toBeVisible(within20s);
    // The pointer keeps it open.
    await summary.hover();
    await expect(popUps(page)).toHaveCount(1);
    await expect(bell(page, 30 + missed)).toBeVisible(within20s);
    // A chime has two tones.
    await expect.poll(tones, within20s).toBeGreaterThanOrEqual(2);
    await expectNoMoreTones(page);
    await popUps(page).getByRole('link', { name: 'Lihat semua' }).click();
    await expect(bell(page, 30 + missed)).toBeVisible();
    await expect(popUps(page)).toHaveCount(0);
    await network.stop();
  });

  // A gap of 15 s between two ticks is a sleep.
  const sleepMs = 18_000;

  // As while a laptop sleeps: no process of the browser runs, and then all timers are due at once.
  async function whileAsleep(browser: Browser, work: () => Promise<void>): Promise<void> {
    const devTools = await browser.newBrowserCDPSession();
    const { processInfo } = await devTools.send('SystemInfo.getProcessInfo');
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const { id } of processInfo) process.kill(id, name);
    };
    const woken = sleep(sleepMs);
    signal('SIGSTOP');
    try {
      await work();
      await woken;
    } finally {
      signal('SIGCONT');
    }
    await devTools.detach();
  }

  test('after a sleep two windows ring once', async ({ page, context, browser, company, signInAsEmployee }) => {
    const other = steady(await context.newPage());
    const windows = [page, other];
    const tones = await countTones(...windows);
    await signInAsEmployee(page);
    for (const window of windows) {
      await window.goto('/portal/help');
      await window.locator('h1').click();
    }
    for (const window of windows) {
      await expectSoundOn(window);
      await expect(window.locator('[data-connection=connected]').first()).toContainText('Terhubung');
    }
    await whileAsleep(browser, async () => {
      for (let count = 1; count <= 40; count++) await writeManualDraft(company, { title: `Terlewat ${count}` });
    });
    // The pop-up first: it closes by itself, while the bell may come later.
    const texts = async () => (await Promise.all(windows.map((window) => popUps(window).allTextContents()))).flat();
    await expect.poll(texts, within20s).toEqual([expect.stringContaining('40 notifikasi baru')]);
    for (const window of windows) await expect(bell(window, 40)).toBeVisible(within20s);
    await expect.poll(tones, within20s).toBe(2);
    await Promise.all(windows.map(expectNoMoreTones));
  });
});
