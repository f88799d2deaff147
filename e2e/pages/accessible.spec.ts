import { check, listSmallTargets, looks } from '#e2e/support/browser/accessible.ts';
import { entries, expect, popUps, statusBar, test } from '#e2e/support/browser/browser.ts';
import { setUpCompany, withFreshService } from '#e2e/support/data/fresh-service.ts';
import { generateKey } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });

    test('axe finds nothing on the pages before the sign-in, and nothing is wider than the screen', async ({
      page,
    }) => {
      for (const path of ['/login', '/setup']) {
        await page.goto(path);
        await check(page, path);
      }
    });

    test('axe finds nothing on the employee’s pages; they fit the screen and a thumb', async ({
      page,
      signInAsEmployee,
      send,
    }) => {
      await signInAsEmployee(page, 'Karyawan Uji Dengan Nama Panjang');
      await page.goto('/portal/help');
      await send({
        judul: 'W'.repeat(draftLimits.title),
        isi: 'M'.repeat(draftLimits.body),
        url: `/${'a'.repeat(200)}`,
      });
      await expect(page.locator('[data-sonner-toast]').first()).toHaveAttribute('data-mounted', 'true');
      await send({ judul: 'Gaji', jenis: 'gaji' });
      // A phone shows one card at a time: the summary takes the place of the first one.
      if (width < 768) await expect(page.getByText(/^2 (notifikasi baru|new notifications)$/).first()).toBeVisible();
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(width < 768 ? 1 : 2);
      await expect(page.locator('[data-sonner-toast]').first()).toHaveCSS('opacity', '1');
      await check(page, 'pop-ups');
      await page.getByRole('button', { name: /^(Suara|Sound) · / }).click();
      await expect(page.getByRole('dialog').getByRole('slider')).toBeVisible();
      await check(page, 'sound');
      const isPhone = width < 768;
      if (isPhone) expect(await listSmallTargets(page)).toEqual([]);
      for (const path of [
        '/portal/notifications',
        '/portal/notifications/1',
        '/portal/settings',
        '/portal/account',
        '/portal/help',
      ]) {
        await page.goto(path);
        await check(page, path);
        if (isPhone) expect([path, await listSmallTargets(page)]).toEqual([path, []]);
      }
    });
  });
}

// An iPhone with a notch in its app mode, and lying on its side.
const upright = { width: 390, height: 844, insets: { top: 59, right: 0, bottom: 34, left: 0 } };
const lying = { width: 844, height: 390, insets: { top: 0, right: 59, bottom: 21, left: 59 } };

for (const { width, height, insets } of [upright, lying])
  test(`nothing lies under the notch or the gesture bar of a phone, ${width} × ${height}`, async ({
    page,
    context,
    signInAsEmployee,
    send,
  }) => {
    await page.setViewportSize({ width, height });
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
    await signInAsEmployee(page);
    await send({ judul: 'Kabar kantin' });
    await expect(popUps(page)).toBeVisible();
    await page.goto('/portal/notifications');
    await expect(entries(page)).toHaveCount(1);
    await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /viewport-fit=cover/);
    await context.setOffline(true);
    await expect(page.locator('.status-bar')).toContainText('offline');
    const covered = await page.evaluate(({ top, right, bottom, left }) => {
      const room = { top, left, right: innerWidth - right, bottom: innerHeight - bottom };
      const parts = '.frame-header :is(a, button), .frame-side a, .frame-bottom a, .status-line, [data-sonner-toast]';
      return [...document.querySelectorAll<HTMLElement>(parts)]
        .filter((part) => part.checkVisibility() && !part.closest('.skip-link'))
        .map((part) => ({ part, box: part.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0)
        .filter(
          ({ box }) => box.top < room.top || box.left < room.left || box.right > room.right || box.bottom > room.bottom,
        )
        .map(({ part, box }) => `${part.tagName}.${part.className} ${part.textContent} ${JSON.stringify(box)}`);
    }, insets);
    expect(covered).toEqual([]);
    const bar = page.locator('.frame-bottom');
    // The colour of the bar reaches the edge of the screen.
    if (await bar.isVisible()) expect(await bar.evaluate((one) => one.getBoundingClientRect().bottom)).toBe(height);
  });

test('a page says that the database is not reachable, and a retry restores it', async ({ page }) => {
  // Its service starts, which takes a minute while another test builds the pages.
  test.slow();
  await withFreshService({ SIGN_UP: 'open' }, async (service, { name, admin }) => {
    await setUpCompany(page, service.url);
    await admin.unsafe(`alter database ${name} allow_connections false`);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    await page.goto(`${service.url}/owner/audit`);
    await expect(page.getByText('Terjadi kesalahan')).toBeVisible();
    await expect(page.getByText(/Nomor untuk bantuan: \d+/)).toBeVisible();
    await admin.unsafe(`alter database ${name} allow_connections true`);
    const headers = { 'X-API-Key': generateKey() };
    const ping = () => fetch(`${service.url}/api/v1/notif.php?aksi=ping`, { headers });
    await expect.poll(async () => (await ping()).status, 'the service has found it again').toBe(401);
    await page.getByRole('button', { name: 'Coba lagi' }).click();
    await expect(page.getByRole('heading', { name: 'Riwayat audit' })).toBeVisible();
  });
});

test('an owner’s page stays offline, keeps what was typed, and goes on when the network is back', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await company.hire('Siti Uji');
  await signIn(page, company.username, '/owner/employees');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.getByRole('button', { name: 'Tambah karyawan' }).first().click();
  await page.getByRole('textbox', { name: 'Nama' }).fill('Budi Uji');
  await context.setOffline(true);
  await expect(statusBar(page)).toContainText('Anda sedang offline. Halaman ini tetap ada');
  await page.getByRole('textbox', { name: 'Peran' }).fill('Kasir');
  const submit = page.getByRole('dialog').locator('[type=submit]');
  await submit.click();
  await expect(page.getByRole('dialog')).toContainText('Belum ada yang dikirim, dan isian Anda tetap ada.');
  await expect(page.getByRole('textbox', { name: 'Nama' })).toHaveValue('Budi Uji');
  await page.keyboard.press('Escape');
  // The list stays, also when a link is pressed or a filter asks for another address.
  await page.getByRole('link', { name: 'Siti Uji' }).click();
  await page.evaluate(() => location.assign('/owner/employees?q=siti'));
  await expect(page.getByRole('link', { name: 'Siti Uji' })).toBeVisible();
  await expect(page).toHaveURL('/owner/employees');
  await context.setOffline(false);
  await expect(page).toHaveURL('/owner/employees?q=siti');
  await expect(page.getByRole('link', { name: 'Siti Uji' })).toBeVisible();
  await expect(statusBar(page)).toBeEmpty();
});

test('a page of an owner that is opened offline opens by itself when the network is back', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await company.newKey();
  await signIn(page, company.username);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await context.setOffline(true);
  // Not `page`, which waits for our own scripts.
  const cold = await context.newPage();
  await cold.goto('/owner/keys');
  await expect(cold.getByRole('heading', { name: 'Anda sedang offline' })).toBeVisible();
  await context.setOffline(false);
  await expect(cold.getByRole('heading', { name: 'Kunci API', exact: true })).toBeVisible();
});
