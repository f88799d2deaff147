import { check, checkWithTargets, looks } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { addLongTexts } from '#e2e/support/browser/every-page.ts';
import { countCompany } from '#server/sends/statistics/statistics.ts';

// What a form shows after it was submitted. Pages are in e2e/pages/every-page.spec.ts, what opens in opened-parts.spec.ts.
for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });

    test('what an owner gets from a form passes axe and fits', async ({ page, company, signIn }) => {
      test.slow();
      const { employeeId } = await addLongTexts(company);
      await countCompany(company.owner);
      const dialog = page.getByRole('dialog');
      await signIn(page, company.username, '/owner/statistics');
      await checkWithTargets(page, 'statistics with figures');
      await page.goto(`/owner/sends?employee=${employeeId}`);
      if (width < 768) await page.getByRole('button', { name: /^(Saring|Filter)/ }).click();
      await page.getByRole('combobox', { name: /^(Karyawan|Employee)$/ }).click();
      await expect(page.getByRole('listbox')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('listbox')).toBeHidden();
      await check(page, 'the sends of one person');

      await page.goto('/owner/keys');
      const create = /^(Buat kunci|Create key)$/;
      await page.getByRole('button', { name: create }).click();
      await dialog.getByRole('textbox').first().fill('kunci axe');
      await dialog.getByRole('button', { name: create }).click();
      await expect(dialog.getByText(/hanya ditampilkan satu kali|shown only once/)).toBeVisible();
      await expect(dialog).toHaveCSS('opacity', '1');
      await check(page, 'the key shown once');

      await page.goto('/owner/employees?account=uninvited&choose=all');
      // A phone has a menu for the actions.
      const actions = page.getByRole('button', { name: /^(Tindakan|Actions)$/ });
      const invite = page.getByText(/^(Undang|Invite) \d/).filter({ visible: true });
      await expect(actions.filter({ visible: true }).or(invite).first()).toBeVisible();
      if (await actions.isVisible()) await actions.click();
      await invite.click();
      await dialog.getByRole('button', { name: /^(Buat|Create) \d / }).click();
      await expect(dialog.getByRole('button', { name: /^(Cetak|Print)$/ })).toBeVisible();
      await check(page, 'links to send or to print');

      await page.goto('/owner/settings/data');
      await page.locator('#export button').click();
      await expect(page.locator('a[download]')).toBeVisible();
      await check(page, 'an export');
    });
  });
}

test.describe('with a keyboard', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('people are chosen and deactivated, and the focus stays in reach', async ({ page, company, signIn }) => {
    await company.hire('Budi Uji');
    await company.hire('Siti Uji');
    await signIn(page, company.username, '/owner/employees');
    const press = async (role: 'button' | 'checkbox', name: string, key: string) => {
      const target = page.getByRole(role, { name, exact: true });
      await target.focus();
      await expect(target).toBeFocused();
      await page.keyboard.press(key);
    };
    const enterMenu = () =>
      expect(async () => {
        await page.keyboard.press('ArrowDown');
        await expect(page.locator('[role=menuitem]:focus')).toHaveCount(1, { timeout: 1000 });
      }).toPass();
    await press('button', 'Pilih beberapa', 'Enter');
    await press('checkbox', 'Pilih Budi Uji', 'Space');
    await expect(page.getByText('1 dipilih')).toBeVisible();
    await press('button', 'Tindakan', 'Enter');
    await enterMenu();
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Nonaktifkan' })).toBeFocused();
    // Escape closes the menu alone: Budi stays chosen.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Tindakan', exact: true })).toBeFocused();
    await expect(page.getByText('1 dipilih')).toBeVisible();
    await page.keyboard.press('Enter');
    await enterMenu();
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Nonaktifkan' })).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Nonaktifkan 1 karyawan?');
    await dialog.getByRole('button', { name: 'Nonaktifkan' }).press('Enter');
    await expect(page.getByText('1 karyawan dinonaktifkan.')).toBeVisible();
    await expect(dialog).toHaveCount(0);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  });
});
