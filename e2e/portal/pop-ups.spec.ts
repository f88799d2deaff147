import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import {
  bell,
  countTones,
  entries,
  expect,
  expectSoundOn,
  popUps,
  test,
  waitForAction,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { addMyself } from '#server/employees/employees.ts';

// Holds the feed of the next page back until the returned function is called: on a busy machine,
// what is sent at once may come in two bursts.
async function holdFeed(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/portal\/(feed|stream)\?/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('what arrives while the person leaves a page pops up and rings on the next one', async ({
  portal: page,
  tones,
  context,
  send,
}) => {
  // Another tab holds the lock for pop-ups, so the person leaves this page before it opens one.
  const other = await context.newPage();
  await other.goto('/docs');
  await other.evaluate(() => {
    const person = Object.keys(localStorage)
      .find((name) => name.startsWith('received:'))
      ?.slice('received:'.length);
    const released = new Promise((resolve) => Object.assign(window, { release: resolve }));
    return new Promise<void>((resolve) => {
      void navigator.locks.request(`claims:${person}`, () => {
        resolve();
        return released;
      });
    });
  });
  await send({ judul: 'Saat berpindah' });
  await expect(bell(page, 1)).toBeVisible(within20s);
  // The feed of the next page waits until its sound is on; otherwise the page would not ring.
  const letArrive = await holdFeed(page);
  await page.goto('/portal/settings');
  await page.getByRole('heading', { level: 1 }).click();
  await expectSoundOn(page);
  letArrive();
  await other.evaluate(() => (window as unknown as { release: () => void }).release());
  await expect(popUps(page).filter({ hasText: 'Saat berpindah' })).toHaveCount(1, within20s);
  await expect.poll(tones).toBe(2);
});

test('a fourth pop-up replaces the open three by one summary, which the list does not need', async ({
  page,
  signInAsEmployee,
  send,
}) => {
  await signInAsEmployee(page, '/portal/settings');
  for (const judul of ['Satu', 'Dua', 'Tiga']) {
    await send({ judul });
    await expect(popUps(page).filter({ hasText: judul })).toBeVisible(within20s);
  }
  await expect(popUps(page)).toHaveCount(3);
  await send({ judul: 'Empat' });
  await expect(popUps(page).filter({ hasText: '4 notifikasi baru' })).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(1);
  await page.locator('.frame-side').getByRole('link', { name: 'Notifikasi' }).click();
  await expect(entries(page)).toHaveCount(4);
  await expect(popUps(page)).toHaveCount(0);
  for (let count = 1; count <= 4; count++) await send({ judul: `Beruntun ${count}` });
  await expect(page.getByRole('button', { name: '4 notifikasi baru' })).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(0);
});

test('an owner who is an employee hears and counts what arrives at work, and sees one line of it', async ({
  page,
  company,
  signIn,
  send,
}) => {
  await addMyself(company.owner, 'Pemilik');
  const tones = await countTones(page);
  await signIn(page, company.username, '/owner/settings');
  await page.getByRole('heading', { level: 1 }).click();
  await expectSoundOn(page);
  await send({ judul: 'Untuk semua', isi: 'Teks yang panjang' });
  await expect(popUps(page)).toHaveText('Untuk semua', within20s);
  await expect(bell(page, 1)).toBeVisible();
  await expect.poll(tones, within20s).toBe(2);
});

test('two presses at one place confirm one of several pop-ups, and a cut-off text none', async ({
  page,
  company,
  signInAsEmployee,
}) => {
  await page.clock.install();
  await signInAsEmployee(page, '/portal/settings');
  const understood = page.getByRole('button', { name: /^Sudah baca & paham/ });
  const confirmed = async () =>
    (await sql()`select 1 from receipts where company_id = ${company.owner.companyId} and confirmed_at is not null`)
      .length;
  for (const [delay, already] of [
    [75, 0],
    [350, 1],
  ] as const) {
    for (let count = 1; count <= 2; count++)
      await writeManualDraft(company, { title: `Aturan ${delay} ${count}`, mustConfirm: true });
    await expect(understood).toHaveCount(2, within20s);
    // Waits until the button takes a press.
    await understood.first().click({ trial: true });
    const place = await understood.first().boundingBox();
    const press = (clickCount: number) =>
      // Each of the steps of a press waits for half of the pause.
      page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 10, { clickCount, delay });
    await press(1);
    await popUps(page).filter({ hasText: 'Anda sudah mengonfirmasi' }).waitFor();
    // A confirmed pop-up stays for 4 s, and on a busy machine the presses take longer.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await press(2);
    await page.clock.resume();
    await expect(popUps(page)).toHaveCount(1);
    expect(await confirmed()).toBe(already + 1);
    await page.reload();
    await expect(popUps(page)).toHaveCount(0);
  }
  const lines = Array.from({ length: 9 }, (_, line) => `Baris ${line}`).join('\n');
  await writeManualDraft(company, { title: 'Panjang', body: lines, mustConfirm: true });
  const long = popUps(page).filter({ hasText: 'Panjang' });
  await long.getByRole('link', { name: 'Baca pesan lengkap' }).click(within20s);
  await expect(page.getByRole('article')).toContainText('Baris 8');
  await expect(understood).toHaveCount(1);
  await expect(understood).toHaveCSS('animation-name', 'settle');
});

test('texts about money are hidden and not confirmed before they are opened, unless a person chose so', async ({
  page,
  company,
  signInAsEmployee,
}) => {
  await signInAsEmployee(page, '/portal/settings');
  await writeManualDraft(company, { title: 'Gaji baru', body: 'Rp 6.000.000', kind: 'gaji', mustConfirm: true });
  const popUp = popUps(page).filter({ hasText: 'Gaji baru' });
  const understood = page.getByRole('button', { name: /^Sudah baca & paham/ });
  await expect(popUp).toContainText('Isi disembunyikan', within20s);
  await expect(understood).toHaveCount(0);
  await expect(popUp.getByRole('link', { name: 'Baca pesan lengkap' })).toBeVisible();
  await page.goto('/portal/notifications');
  await entries(page).focus();
  for (const key of ['e', 'r', 's', 'Escape']) await page.keyboard.press(key);
  await expect(understood).toHaveCount(0);
  await expect(page.getByText('Rp 6.000.000')).toHaveCount(0);
  await entries(page).getByRole('link').click();
  await expect(page.getByRole('article')).toContainText('Rp 6.000.000');
  await understood.click();
  await expect(page.getByRole('article')).toContainText('Anda sudah mengonfirmasi');
  await page.goto('/portal/settings');
  const hide = page.getByRole('switch', { name: 'Sembunyikan isi gaji' });
  await expect(hide).toBeChecked();
  await waitForAction(page, () => hide.press('Space'));
  await page.goto('/portal/notifications');
  await expect(entries(page)).toContainText('Rp 6.000.000');
  await writeManualDraft(company, { title: 'Kasbon', body: 'terbuka', kind: 'kasbon' });
  const shown = popUps(page).filter({ hasText: 'Kasbon' });
  await expect(shown).toContainText('terbuka', within20s);
  // The link of its title covers the whole pop-up.
  await shown.click({ position: { x: 200, y: 70 } });
  await expect(page).toHaveURL('/portal/notifications/2');
  await expect(bell(page, 0)).toBeVisible();
});

test('a pop-up closes after 10 s, unless it has the pointer or the focus; on phones it is at the top', async ({
  page,
  signInAsEmployee,
  send,
}) => {
  await page.clock.install();
  await signInAsEmployee(page);
  await send({ judul: 'Ditunggu' });
  const popUp = popUps(page).filter({ hasText: 'Ditunggu' });
  await expect(popUp).toBeVisible(within20s);
  const wide = await popUp.boundingBox();
  expect(wide?.x).toBeGreaterThan(640);
  expect(wide?.y).toBeGreaterThan(360);
  await page.keyboard.press('F6');
  await expect(popUp).toBeFocused();
  await page.clock.fastForward(12_000);
  await expect(popUp).toBeVisible();
  await page.locator('h1').click();
  await page.clock.fastForward(12_000);
  await expect(popUp).toHaveCount(0);
  await send({ judul: 'Di bawah penunjuk' });
  const hovered = popUps(page).filter({ hasText: 'Di bawah penunjuk' });
  await expect(hovered).toBeVisible(within20s);
  await page.clock.fastForward(5000);
  await hovered.hover();
  await page.clock.fastForward(12_000);
  await expect(hovered).toBeVisible();
  await page.mouse.move(300, 300);
  await page.clock.fastForward(12_000);
  await expect(hovered).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await send({ judul: 'Di ponsel' });
  const narrow = popUps(page).filter({ hasText: 'Di ponsel' });
  await expect(narrow).toHaveAttribute('data-mounted', 'true', within20s);
  await expect.poll(async () => (await narrow.boundingBox())?.y ?? 999).toBeLessThan(100);
});

test('F6 focuses a pop-up, Tab goes through its links and leaves, Escape closes it and returns the focus', async ({
  portal: page,
  send,
}) => {
  const button = page.getByRole('link', { name: 'Akun' });
  await button.focus();
  await send({ judul: 'Dengan papan tombol', url: '/portal/help' });
  const popUp = popUps(page).filter({ hasText: 'Dengan papan tombol' });
  await expect(popUp).toBeVisible(within20s);
  await page.keyboard.press('F6');
  await expect(popUp).toBeFocused();
  for (const [role, name] of [
    ['button', 'Tutup'],
    ['link', 'Dengan papan tombol'],
  ] as const) {
    await page.keyboard.press('Tab');
    await expect(popUp.getByRole(role, { name })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(page.locator('[data-sonner-toaster] :focus')).toHaveCount(0);
  await button.focus();
  await page.keyboard.press('F6');
  await page.keyboard.press('Escape');
  await expect(popUp).toHaveCount(0);
  await expect(button).toBeFocused();
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('a screen reader reads the title of a pop-up and nothing else; it does not slide in', async ({
    portal: page,
    send,
  }) => {
    const announcer = page.locator('[data-announcer]');
    await expect(announcer).toHaveAttribute('role', 'status');
    await send({ judul: 'Judul saja', isi: 'isi yang tidak dibacakan' });
    await expect(announcer).toHaveText('Notifikasi baru: Judul saja', within20s);
    await expect(popUps(page)).toHaveCount(1);
    await expect(popUps(page)).toHaveCSS('transition-duration', '0s');
    await expect(page.locator('section:has([data-sonner-toaster])')).toHaveAttribute('aria-live', 'off');
    const letArrive = await holdFeed(page);
    await page.reload();
    await Promise.all(['Satu', 'Dua'].map((judul) => send({ judul })));
    letArrive();
    await expect(announcer).toHaveText(/^Notifikasi baru: (Satu|Dua)\. Notifikasi baru: (Satu|Dua)$/, within20s);
  });
});

test('with the setting “do not close” a pop-up stays open', async ({ page, signInAsEmployee, send }) => {
  await page.clock.install();
  await signInAsEmployee(page, '/portal/settings');
  await waitForAction(page, () => page.getByRole('switch', { name: 'Jangan tutup otomatis' }).press('Space'));
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Jangan tutup otomatis' })).toBeChecked();
  await send({ judul: 'Tetap di sini' });
  const popUp = popUps(page).filter({ hasText: 'Tetap di sini' });
  await expect(popUp).toBeVisible(within20s);
  await page.clock.fastForward(60_000);
  await expect(popUp).toBeVisible();
  await popUp.getByRole('button', { name: 'Tutup' }).click();
  await expect(popUp).toHaveCount(0);
});
