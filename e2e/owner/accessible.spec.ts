import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { check, listSmallTargets, looks } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { expireKey, keep, principalOf } from '#e2e/support/data/calls.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { addPlansAndJoins } from '#e2e/support/data/plans-and-joins.ts';
import { toPeople, toRoles, writeManualDraft } from '#e2e/support/data/sends.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { setMustConfirmKinds } from '#server/companies/companies.ts';
import { applyImport, createImport } from '#server/employees/imports.ts';
import { createJoinLink } from '#server/employees/join-links.ts';
import { requestToJoin } from '#server/employees/join-requests.ts';
import { createKey, editKey, fingerprintOf, revokeKey } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { countCompany } from '#server/sends/statistics/statistics.ts';

const ownerPaths = [
  '/owner',
  '/owner/sends',
  '/owner/sends/1',
  '/owner/sends/new',
  '/owner/employees',
  '/owner/audit',
  '/owner/settings',
  '/owner/settings/company',
  '/owner/settings/access',
  '/owner/settings/alarms',
  '/owner/settings/data',
  '/owner/keys',
];

const longName = 'NamaKunciYangSangatPanjangSekaliTanpaPutusSampaiEnamPuluh';
const client = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36';

// Creates a key with a replacement, a revoked key, and refused calls of both. Returns the first key.
async function createKeys(company: Company): Promise<string> {
  const old = await company.newKey(longName);
  const gone = await company.newKey('dicabut');
  const [key, revoked] = [await principalOf(old), await principalOf(gone)];
  await editKey(company.owner, key.id, { note: 'n'.repeat(500), mustConfirm: true, expectedEveryMinutes: 10080 });
  await createKey(company.owner, { name: `${longName} 2` }, key.id);
  await revokeKey(company.owner, revoked.id);
  const rejection = { code: 'field_too_long', field: 'judul', parameters: { limit: 120, length: 130 } };
  await keep(
    { key, fingerprint: fingerprintOf(old), rejection, client, operation: 'send' },
    { fingerprint: fingerprintOf(gone), rejection: { code: 'key_rejected' }, client: 'x'.repeat(200) },
    { key, fingerprint: fingerprintOf(old), client },
  );
  await expireKey(old, 24 * 60 * 60);
  await sendNotification(
    key,
    { recipients: { to: 'everyone' }, title: longName, body: 'y', kind: 'gaji', url: null },
    'x',
  );
  return old;
}

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
  const wait = await addPlansAndJoins(company.owner);
  noteSecret(wait.split('/').at(-1) ?? '');
  const [plan] = await sql()`
    select draft_id from planned_sends where company_id = ${companyId} and rule_id is null order by leaves_at desc`;
  const [rule] = await sql()`select id from send_rules where company_id = ${companyId} order by id`;
  const [template] = await sql()`select id from send_templates where company_id = ${companyId} order by id`;
  return { no, wait, plan: plan?.draft_id, rule: rule?.id, template: template?.id };
}

async function checkWithTargets(page: Page, where: string): Promise<void> {
  await check(page, where);
  // Fingers need room, pointers do not.
  if (page.viewportSize()?.width === 360) expect([where, await listSmallTargets(page)]).toEqual([where, []]);
}

for (const { locale, colorScheme, width } of looks) {
  test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 740 } });

    test("the owner's pages pass axe and fit the screen", async ({ page, company, signIn, send }) => {
      test.slow();
      const { employeeId } = await company.hire('Nama Yang Sangat Panjang Sekali Tanpa Putus '.repeat(2));
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
      await page.goto(`/owner/sends?employee=${employeeId}`);
      if (width < 768) await page.getByRole('button', { name: /^(Saring|Filter)/ }).click();
      await page.getByRole('combobox', { name: /^(Karyawan|Employee)$/ }).click();
      await expect(page.getByRole('listbox')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('listbox')).toBeHidden();
      await check(page, 'the sends of one person');
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
        '/owner/employees/invitations',
        `/join/${join.token}`,
        '/owner/employees?account=uninvited&choose=all',
      ]) {
        await page.goto(path);
        await check(page, path);
      }
      // A phone has a menu for the actions.
      const actions = page.getByRole('button', { name: /^(Tindakan|Actions)$/ });
      if (await actions.isVisible()) await actions.click();
      await page
        .getByText(/^(Undang|Invite) \d/)
        .filter({ visible: true })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: /^(Buat|Create) \d / }).click();
      await expect(dialog.getByRole('button', { name: /^(Cetak|Print)$/ })).toBeVisible();
      await check(page, 'links to send or to print');
    });

    test('an audit entry and an export pass axe and fit the screen', async ({ page, company, signIn }) => {
      await signIn(page, company.username, '/owner/audit?request=x');
      await check(page, 'an empty audit log');
      await page.goto('/owner/audit');
      await page.locator('[data-action] a').first().click();
      await expect(page).toHaveURL(/audit\/\d+$/);
      await check(page, 'an entry of the audit log');
      await page.goto('/owner/settings/data');
      await page.locator('#export button').click();
      await expect(page.locator('a[download]')).toBeVisible();
      await check(page, 'an export');
    });

    test('the pages and dialogs for keys pass axe, fit 360 px, and have large targets', async ({
      page,
      company,
      signIn,
    }) => {
      test.setTimeout(120_000);
      const key = await createKeys(company);
      await signIn(page, company.username);
      const { id } = await principalOf(key);
      for (const path of ['/owner/keys', '/owner/keys?state=revoked', `/owner/keys/${id}`, '/owner/audit/refused']) {
        await page.goto(path);
        await checkWithTargets(page, path);
      }
      await page.goto('/owner/keys');
      for (const action of [
        /^(Pantau|Watch)$/,
        /^(Ubah|Edit)$/,
        /^(Buat kunci pengganti|Create repl.*)$/,
        /^(Cabut|Revoke)$/,
      ]) {
        await page.getByRole('button', { name: new RegExp(`(Tindakan untuk|Actions for).* ${longName}$`) }).click();
        await page.getByRole('menuitem', { name: action }).click();
        const dialog = page.getByRole('dialog');
        await expect(dialog).toHaveCSS('opacity', '1');
        await expect(page.getByRole('menu')).toHaveCount(0);
        await checkWithTargets(page, String(action));
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
      }
    });

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
        `/owner/sends/planned/${rule}`,
        '/owner/sends/templates',
        `/owner/sends/templates/${template}`,
        `/owner/sends/new?again=${no}`,
        '/owner/statistics',
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
