import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { addPlansAndJoins } from '#e2e/owner/plans-and-joins.ts';
import { check, listSmallTargets } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { toPeople, toRoles, writeManualDraft } from '#e2e/support/data/sends.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { countCompany } from '#server/sends/statistics/statistics.ts';

const looks = [
  { locale: 'id-ID', colorScheme: 'light', width: 360 },
  { locale: 'en-GB', colorScheme: 'dark', width: 360 },
] as const;

// People of several roles, sends to roles and people, planned sends, rules, templates, requests to
// join, and figures of the month.
async function fill(company: Company) {
  const people = [
    await company.hire('Nama Panjang Tanpa Putus '.repeat(4).trim(), 'Kepala gudang'),
    await company.hire('Budi Uji', 'Gudang'),
    await company.hire('Siti Uji', 'Kasir'),
  ];
  const no = await writeManualDraft(company, {
    title: 'J'.repeat(draftLimits.title),
    ...toRoles('Gudang', 'Kasir'),
    mustConfirm: true,
  });
  await writeManualDraft(company, toPeople(...people.map(({ employeeId }) => employeeId)));
  await countCompany(company.owner);
  const { companyId } = company.owner;
  const { wait } = await addPlansAndJoins(company.owner);
  noteSecret(wait.split('/').at(-1) ?? '');
  const [plan] = await sql()`
    select draft_id from planned_sends where company_id = ${companyId} and rule_id is null order by leaves_at desc`;
  const [rule] = await sql()`select id from send_rules where company_id = ${companyId} order by id`;
  const [template] = await sql()`select id from send_templates where company_id = ${companyId} order by id`;
  return { no, wait, plan: plan?.draft_id, rule: rule?.id, template: template?.id };
}

async function checkWithTargets(page: Page, where: string): Promise<void> {
  await check(page, where);
  expect([where, await listSmallTargets(page)]).toEqual([where, []]);
}

for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });

    test('pages of sends to several, plans, templates and joining pass axe and have large targets', async ({
      page,
      company,
      signIn,
    }) => {
      test.slow();
      const { no, wait, plan, rule, template } = await fill(company);
      await signIn(page, company.username);
      await checkWithTargets(page, '/owner');
      for (const path of [
        `/owner/sends/${no}`,
        '/owner/sends/planned',
        `/owner/sends/planned/${plan}`,
        `/owner/sends/planned/rules/${rule}`,
        '/owner/sends/templates',
        `/owner/sends/templates/${template}`,
        `/owner/sends/new?again=${no}`,
        '/owner/statistics',
        '/owner/employees/join/poster',
        wait,
      ]) {
        await page.goto(path);
        await checkWithTargets(page, path);
      }
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
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Nonaktifkan 1 karyawan?');
    await dialog.getByRole('button', { name: 'Nonaktifkan' }).press('Enter');
    await expect(page.getByText('1 karyawan dinonaktifkan.')).toBeVisible();
    await expect(dialog).toHaveCount(0);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  });
});
