import { sql } from '#db/client.ts';
import { countTones, entries, expect, popUps, test, waitForAction, within20s } from '#e2e/support/browser/browser.ts';
import { bell, expectPopUp, holdFeed, turnSoundOn, understood } from '#e2e/support/browser/portal-pages.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { addMyself } from '#server/employees/employees.ts';

test('what arrives between two pages pops up and rings on the next', async ({ portal: page, tones, context, send }) => {
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
  // The feed waits until the sound is on; otherwise the page would not ring.
  const letArrive = await holdFeed(page);
  await page.goto('/portal/settings');
  await turnSoundOn(page);
  letArrive();
  await other.evaluate(() => (window as unknown as { release: () => void }).release());
  await expect(popUps(page).filter({ hasText: 'Saat berpindah' })).toHaveCount(1, within20s);
  await expect.poll(tones).toBe(2);
});

test('a fourth pop-up makes one summary, which the list does not need', async ({ page, signInAsEmployee, send }) => {
  await signInAsEmployee(page, '/portal/settings');
  for (const judul of ['Satu', 'Dua', 'Tiga']) {
    await send({ judul });
    await expectPopUp(page, judul);
  }
  await expect(popUps(page)).toHaveCount(3);
  await send({ judul: 'Empat' });
  await expectPopUp(page, '4 notifikasi baru');
  await expect(popUps(page)).toHaveCount(1);
  await page.locator('.frame-side').getByRole('link', { name: 'Notifikasi' }).click();
  await expect(entries(page)).toHaveCount(4);
  await expect(popUps(page)).toHaveCount(0);
  for (let count = 1; count <= 4; count++) await send({ judul: `Beruntun ${count}` });
  await expect(page.getByRole('button', { name: '4 notifikasi baru' })).toBeVisible(within20s);
  await expect(popUps(page)).toHaveCount(0);
});

test('an owner who is an employee hears at work and sees one line', async ({ page, company, signIn, send }) => {
  await addMyself(company.owner, 'Pemilik');
  const tones = await countTones(page);
  await signIn(page, company.username, '/owner/settings');
  await turnSoundOn(page);
  await send({ judul: 'Untuk semua', isi: 'Teks yang panjang' });
  await expect(popUps(page)).toHaveText('Untuk semua', within20s);
  await expect(bell(page, 1)).toBeVisible();
  await expect.poll(tones, within20s).toBe(2);
});

test('two presses at one place confirm one of several pop-ups', async ({ page, company, signInAsEmployee }) => {
  await page.clock.install();
  await signInAsEmployee(page, '/portal/settings');
  const { companyId } = company.owner;
  const listConfirmed = () => sql()`select from receipts where company_id = ${companyId} and confirmed_at is not null`;
  for (const [already, delay] of [75, 350].entries()) {
    for (let count = 1; count <= 2; count++)
      await writeManualDraft(company, { title: `Aturan ${delay} ${count}`, mustConfirm: true });
    await expect(understood(page)).toHaveCount(2, within20s);
    // Waits until the button takes a press.
    await understood(page).first().click({ trial: true });
    const place = await understood(page).first().boundingBox();
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
    expect(await listConfirmed()).toHaveLength(already + 1);
    await page.reload();
    await expect(popUps(page)).toHaveCount(0);
  }
  const lines = Array.from({ length: 9 }, (_, line) => `Baris ${line}`).join('\n');
  await writeManualDraft(company, { title: 'Panjang', body: lines, mustConfirm: true });
  const long = popUps(page).filter({ hasText: 'Panjang' });
  await long.getByRole('link', { name: 'Baca pesan lengkap' }).click(within20s);
  await expect(page.getByRole('article')).toContainText('Baris 8');
  await expect(understood(page)).toHaveCount(1);
  await expect(understood(page)).toHaveCSS('animation-name', 'settle');
});

test('texts about money are hidden and not confirmed unopened', async ({ page, company, signInAsEmployee }) => {
  await signInAsEmployee(page, '/portal/settings');
  await writeManualDraft(company, { title: 'Gaji baru', body: 'Rp 6.000.000', kind: 'gaji', mustConfirm: true });
  const popUp = popUps(page).filter({ hasText: 'Gaji baru' });
  await expect(popUp).toContainText('Isi disembunyikan', within20s);
  await expect(understood(page)).toHaveCount(0);
  await expect(popUp.getByRole('link', { name: 'Baca pesan lengkap' })).toBeVisible();
  await page.goto('/portal/notifications');
  await entries(page).focus();
  for (const key of ['e', 'r', 's', 'Escape']) await page.keyboard.press(key);
  await expect(understood(page)).toHaveCount(0);
  await expect(page.getByText('Rp 6.000.000')).toHaveCount(0);
  await entries(page).getByRole('link').click();
  await expect(page.getByRole('article')).toContainText('Rp 6.000.000');
  await understood(page).click();
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

test('a pop-up closes after 10 s, unless pointer, focus or choice keep i', async ({ page, signInAsEmployee, send }) => {
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
  await page.goto('/portal/settings');
  await waitForAction(page, () => page.getByRole('switch', { name: 'Jangan tutup otomatis' }).press('Space'));
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Jangan tutup otomatis' })).toBeChecked();
  await page.setViewportSize({ width: 360, height: 740 });
  await send({ judul: 'Di ponsel' });
  const narrow = popUps(page).filter({ hasText: 'Di ponsel' });
  await expect(narrow).toHaveAttribute('data-mounted', 'true', within20s);
  await expect.poll(async () => (await narrow.boundingBox())?.y ?? 999).toBeLessThan(100);
  await page.clock.fastForward(60_000);
  await expect(narrow).toBeVisible();
  await narrow.getByRole('button', { name: 'Tutup' }).click();
  await expect(narrow).toHaveCount(0);
});

test('F6 focuses a pop-up, Tab goes through it, Escape closes it', async ({ portal: page, send }) => {
  const button = page.getByRole('link', { name: 'Akun' });
  await button.focus();
  await send({ judul: 'Dengan papan tombol', url: '/portal/help' });
  const popUp = popUps(page).filter({ hasText: 'Dengan papan tombol' });
  await expect(popUp).toBeVisible(within20s);
  await page.keyboard.press('F6');
  await expect(popUp).toBeFocused();
  for (const [name, role] of Object.entries({ Tutup: 'button', 'Dengan papan tombol': 'link' } as const)) {
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

test('a screen reader reads the title alone; nothing slides in', async ({ portal: page, send }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const announcer = page.locator('[data-announcer]');
  await expect(announcer).toHaveAttribute('role', 'status');
  await send({ judul: 'Judul saja', isi: 'isi yang tidak dibacakan' });
  await expect(announcer).toHaveText('Notifikasi baru: Judul saja', within20s);
  await expect(popUps(page)).toHaveCount(1);
  await expect(popUps(page)).toHaveCSS('transition-duration', '0s');
  await expect(page.locator('section:has([data-sonner-toaster])')).toHaveAttribute('aria-live', 'off');
  // On a busy machine, what is sent at once may come in two bursts.
  const letArrive = await holdFeed(page);
  await page.reload();
  await Promise.all(['Satu', 'Dua'].map((judul) => send({ judul })));
  letArrive();
  await expect(announcer).toHaveText(/^Notifikasi baru: (Satu|Dua)\. Notifikasi baru: (Satu|Dua)$/, within20s);
});
