import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/fixtures/browser.ts';

async function check(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => [
      where,
      id,
      nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`),
    ]),
  ).toEqual([]);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect([where, wider]).toEqual([where, 0]);
}

const looks = [
  { locale: 'id-ID', colorScheme: 'light', width: 1280 },
  { locale: 'en-GB', colorScheme: 'dark', width: 1280 },
  { locale: 'id-ID', colorScheme: 'dark', width: 360 },
  { locale: 'en-GB', colorScheme: 'light', width: 360 },
] as const;

for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });

    test('axe finds nothing and nothing is wider than the screen: pages of the owner', async ({
      page,
      company,
      signIn,
      send,
    }) => {
      await company.hire('Nama Yang Sangat Panjang Sekali Tanpa Putus '.repeat(2));
      await company.giveAccount(await company.hire());
      await company.deactivate(await company.hire());
      await send({ judul: 'J'.repeat(120) });
      await page.goto('/login');
      await check(page, 'login');
      await page.goto('/setup');
      await check(page, 'setup');
      await signIn(page, company.username);
      for (const path of ['/owner', '/owner/keys', '/owner/employees', '/owner/audit', '/owner/settings']) {
        await page.goto(path);
        await check(page, path);
      }
      await page.goto('/owner/keys');
      await page.getByRole('button', { name: /^(Buat kunci|Create key)$/ }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('kunci axe');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Buat kunci|Create key)$/ })
        .click();
      await expect(page.getByRole('dialog').getByText(/hanya ditampilkan satu kali|shown only once/)).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCSS('opacity', '1');
      await check(page, 'the key shown once');
    });

    test('axe finds nothing and nothing is wider than the screen: an entry of the audit log, a copy of everything', async ({
      page,
      company,
      signIn,
    }) => {
      await signIn(page, company.username);
      await page.goto('/owner/audit?request=x');
      await check(page, 'nothing found in the audit log');
      await page.goto('/owner/audit');
      await page.locator('[data-action] a').first().click();
      await expect(page).toHaveURL(/audit\/\d+$/);
      await check(page, 'an entry of the audit log');
      await page.goto('/owner/settings');
      await page.locator('#export button').click();
      await expect(page.locator('a[download]')).toBeVisible();
      await check(page, 'a copy of everything');
    });

    test('axe finds nothing and nothing is wider than the screen: pages of the employee', async ({
      page,
      signInAsEmployee,
      send,
    }) => {
      await signInAsEmployee(page, 'Karyawan Uji Dengan Nama Panjang');
      await send({ judul: 'W'.repeat(120), isi: 'M'.repeat(255), url: `/${'a'.repeat(200)}` });
      await expect(page.locator('[data-sonner-toast]').first()).toHaveAttribute('data-mounted', 'true');
      await send({ judul: 'Gaji', jenis: 'gaji' });
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(3);
      await expect(page.locator('[data-sonner-toast]').first()).toHaveCSS('opacity', '1');
      await check(page, 'pop-ups');
      await page.getByRole('button', { name: /^(Notifikasi|Notifications), / }).click();
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2);
      await expect(page.getByRole('dialog')).toHaveCSS('opacity', '1');
      await check(page, 'bell');
      for (const path of ['/portal', '/portal/notifications', '/portal/settings', '/portal/help']) {
        await page.goto(path);
        await check(page, path);
      }
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });
  test('everything that can be pressed is at least 44 px high or wide, but for links within a sentence', async ({
    page,
    signInAsEmployee,
    send,
  }) => {
    await signInAsEmployee(page);
    await send({ judul: 'Dengan tautan', url: '/portal/help', jenis: 'gaji' });
    await expect(page.locator('[data-sonner-toast]').first()).toHaveAttribute('data-mounted', 'true');
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button, a[href], [role=slider], input:not([type=hidden]), select')]
          .filter((element) => element.checkVisibility({ checkOpacity: true }) && !element.closest('.skip-link, p'))
          .map((element) => {
            const pressed = element.closest('label') ?? (element as HTMLInputElement).labels?.[0] ?? element;
            const boxes = [element, pressed].map((one) => one.getBoundingClientRect());
            const name =
              element.ariaLabel ?? (element.textContent || element.getAttribute('name') || element.className);
            return { name, height: Math.max(...boxes.map(({ height }) => Math.round(height))) };
          })
          .filter(({ height }) => height > 1 && height < 44),
      );
    for (const path of ['/portal', '/portal/notifications', '/portal/settings', '/portal/help']) {
      await page.goto(path);
      expect([path, await small()]).toEqual([path, []]);
    }
    await page.getByRole('button', { name: /^Notifikasi, / }).click();
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
    expect(await small()).toEqual([]);
  });
});
