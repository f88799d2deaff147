import { check, listSmallTargets, looks } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
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
