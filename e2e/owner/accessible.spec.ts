import { check, looks } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { setMustConfirmKinds } from '#server/companies/companies.ts';
import { applyImport, createImport } from '#server/employees/imports.ts';
import { createJoinLink } from '#server/employees/join-links.ts';
import { requestToJoin } from '#server/employees/join-requests.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

const ownerPaths = [
  '/owner',
  '/owner/sends',
  '/owner/sends/1',
  '/owner/sends/new',
  '/owner/sends/rules',
  '/owner/employees',
  '/owner/keys',
  '/owner/keys?state=revoked',
  '/owner/audit',
  '/owner/audit/refused',
  '/owner/settings',
  '/owner/settings/company',
  '/owner/settings/access',
  '/owner/settings/alarms',
  '/owner/statistics',
];

for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });

    test("the owner's pages pass axe and fit the screen", async ({ page, company, signIn, send }) => {
      test.slow();
      await company.hire('Nama Yang Sangat Panjang Sekali Tanpa Putus '.repeat(2));
      await company.giveAccount(await company.hire());
      await company.deactivate(await company.hire());
      await setMustConfirmKinds(company.owner, ['info']);
      await send({ judul: 'J'.repeat(draftLimits.title) });
      const broken: string[] = [];
      page.on('pageerror', ({ message }) => broken.push(message));
      await signIn(page, company.username);
      for (const path of ownerPaths) {
        await page.goto(path);
        await check(page, path);
      }
      await page.goto('/owner/keys');
      await page.getByRole('button', { name: /^(Buat kunci|Create key)$/ }).click();
      await page.getByRole('dialog').getByRole('textbox').first().fill('kunci axe');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Buat kunci|Create key)$/ })
        .click();
      await expect(page.getByRole('dialog').getByText(/hanya ditampilkan satu kali|shown only once/)).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCSS('opacity', '1');
      await check(page, 'the key shown once');
      expect(broken, 'every page hydrates without an error').toEqual([]);
    });

    test('the pages about employees pass axe and fit the screen', async ({ page, company, signIn }) => {
      test.slow();
      const { employeeId } = await company.hire('Nama Yang Sangat Panjang Sekali Tanpa Putus '.repeat(2));
      const rows = [
        { line: 1, name: 'Siap', role: 'Kasir' },
        { line: 2, name: 'P'.repeat(130), role: '' },
        { line: 3, name: 'Siap', role: 'Sopir' },
        { line: 4, name: 'Nama Bernomor', role: 'Sopir', staffNumber: 'S-004' },
      ];
      const join = await createJoinLink(company.owner, { role: null, days: 7, maxRequests: 10 });
      if (typeof join === 'string') throw new Error(join);
      for (const name of ['N'.repeat(120), 'Siti'])
        await requestToJoin(join.token, { name, role: 'P'.repeat(60) }, '192.0.2.1');
      const list = `/owner/employees/import/${await createImport(company.owner, rows)}`;
      await company.hire('N'.repeat(120), 'P'.repeat(60));
      const added = await createImport(company.owner, rows.slice(1));
      await applyImport(company.owner, added);
      await signIn(page, company.username);
      for (const path of [
        `/owner/employees/${employeeId}`,
        '/owner/employees?q=tidak-ada',
        '/owner/employees',
        '/owner/employees/import',
        list,
        `${list}?show=ready`,
        `/owner/employees/import/${added}`,
        '/owner/employees/join',
        `/join/${join.token}`,
        '/owner/employees/sheet?account=none',
      ]) {
        await page.goto(path);
        await check(page, path);
      }
      const make = /^(Buat|Make) \d /;
      await page.getByRole('button', { name: make }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toHaveCSS('opacity', '1');
      await check(page, 'the confirmation of a sheet');
      await dialog.getByRole('button', { name: make }).click();
      await expect(page.locator('[data-link]').first()).toBeVisible();
      await expect(dialog).toBeHidden();
      await check(page, 'a sheet of invitations');
    });

    test('an audit entry and an export pass axe and fit the screen', async ({ page, company, signIn }) => {
      await signIn(page, company.username, '/owner/audit?request=x');
      await check(page, 'an empty audit log');
      await page.goto('/owner/audit');
      await page.locator('[data-action] a').first().click();
      await expect(page).toHaveURL(/audit\/\d+$/);
      await check(page, 'an entry of the audit log');
      await page.goto('/owner/settings/company');
      await page.locator('#export button').click();
      await expect(page.locator('a[download]')).toBeVisible();
      await check(page, 'an export');
    });
  });
}
