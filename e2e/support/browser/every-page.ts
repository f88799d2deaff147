import { randomBytes } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import type { Abilities } from '#e2e/support/browser/browser.ts';
import { allow } from '#e2e/support/browser/host-page.ts';
import { makeBadDay } from '#e2e/support/data/bad-day.ts';
import { expireKey, keep, principalOf } from '#e2e/support/data/calls.ts';
import { type Company, must } from '#e2e/support/data/company.ts';
import { toRoles, writeManualDraft } from '#e2e/support/data/sends.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { applyImport, createImport } from '#server/employees/imports.ts';
import { createJoinLink, requestToJoin } from '#server/employees/join-requests.ts';
import { createKey, editKey, fingerprintOf, revokeKey } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { sendNotification } from '#server/sends/by-key.ts';

// The page of a company that shows the bell.
const bellPage = 'https://intranet.example';
const bell = `/embed?origin=${bellPage}`;

const pathsIn = (text: string) => text.trim().split(/\s+/);

/** A name of a key as long as one may be, in one word. */
export const longKeyName = 'NamaKunciYangSangatPanjangSekaliTanpaPutusSampaiEnamPuluh';

/** Fills a company with texts of the greatest length, without spaces where possible. Returns what has them. */
export async function addLongTexts(company: Company) {
  const { owner } = company;
  const people = [
    await company.hire(`Anak Agung ${'Ngurah '.repeat(15)}`.trim(), 'Kepala gudang pusat'),
    await company.hire('A'.repeat(120), 'P'.repeat(60)),
  ];
  const text = await company.newKey(longKeyName);
  const gone = await company.newKey('dicabut');
  const [key, revoked] = [await principalOf(text), await principalOf(gone)];
  await editKey(owner, key.id, { note: 'n'.repeat(500), mustConfirm: true, expectedEveryMinutes: 10080 });
  await createKey(owner, { name: `${longKeyName} 2` }, key.id);
  await revokeKey(owner, revoked.id);
  const rejection = { code: 'field_too_long' as const, field: 'judul', parameters: { limit: 120, length: 130 } };
  await keep(
    { key, fingerprint: fingerprintOf(text), rejection, client: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' },
    { fingerprint: fingerprintOf(gone), rejection: { code: 'key_rejected' }, client: 'x'.repeat(200) },
  );
  await expireKey(text, 24 * 60 * 60);
  const title = 'W'.repeat(draftLimits.title);
  const body = 'M'.repeat(draftLimits.body);
  const url = `/${'a'.repeat(200)}`;
  await sendNotification(key, { recipients: { to: 'everyone' }, title, body, kind: 'info', url }, 'x');
  const no = await writeManualDraft(company, { title, body, ...toRoles('Kepala gudang pusat'), mustConfirm: true });
  return { keyId: key.id, no, employeeId: people[0]?.employeeId };
}

/** Fills a company with all there is; returns a path of every page, and an employee who has read nothing. */
export async function fillEveryPage(company: Company) {
  const { mustRead, username } = await makeBadDay(company);
  const { owner } = company;
  const { companyId } = owner;
  const newest = async (table: string, condition = sql()`true`) => {
    const [row] = await sql()`select id from ${sql()(table)} where company_id = ${companyId} and ${condition}
      order by id desc limit 1`;
    return String(row?.id);
  };
  const [plan] = await sql()`select draft_id from planned_sends where company_id = ${companyId} and rule_id is null
    order by leaves_at desc`;
  const withAccount = await newest('employees', sql()`account_id is not null`);
  const again = await company.invite({ ...owner, kind: 'employee', employeeId: Number(withAccount) });
  const invitation = await company.invite(await company.hire('Ni Luh Putu Ayu Wulandari', 'Kepala gudang'));
  const join = must(await createJoinLink(owner, { role: null, days: 7, maxRequests: 10 }));
  await requestToJoin(join.token, { name: 'N'.repeat(120), role: 'P'.repeat(60) }, '192.0.2.7');
  const wait = must(await requestToJoin(join.token, { name: 'Komang Ayu', role: 'Kasir' }, '192.0.2.7'));
  for (const { token } of [join, wait]) noteSecret(token);
  await allow(company, bellPage);
  const long = await addLongTexts(company);
  const rows = [
    { line: 1, name: 'Made Wirawan', role: 'Sopir' },
    { line: 2, name: 'P'.repeat(130), role: '' },
    { line: 3, name: 'Made Wirawan', role: 'Kasir' },
    { line: 4, name: 'Nama Bernomor', role: 'Sopir', staffNumber: 'S-004' },
  ];
  const list = await createImport(owner, rows);
  const added = await createImport(owner, rows.slice(1));
  await applyImport(owner, added);
  return {
    employee: username,
    paths: {
      stranger: pathsIn(`
        /login /login/connect /login/provider?step=provider-missing /login/demo /setup
        /invite/${invitation} /invite/${again} /invite/none /join/${join.token} /nothing
        /join/wait/${wait.token}?link=${join.token} ${bell}
        /docs /docs/recipes /docs/recipes/php /docs/recipes/monitoring /docs/recipes/erp
        /docs/errors /docs/reference /docs/bell /docs/none /docs/search /docs/search?q=kunci /docs/search?q=xyzxyzxyz`),
      employee: pathsIn(`
        /portal/notifications /portal/notifications?search=stok /portal/notifications?search=${'W'.repeat(110)}
        /portal/notifications/${mustRead} /portal/notifications/${mustRead + 1} /portal/notifications/1
        /portal/settings /portal/account /portal/help /portal/nothing
        ${bell} /embed/sign-in?code=x&origin=${bellPage}`),
      owner: pathsIn(`
        /owner/nothing /owner /owner/employees /owner/employees/${withAccount} /owner/employees/${long.employeeId}
        /owner/employees?q=tidak-ada /owner/employees/import /owner/employees/import/${list}
        /owner/employees/import/${list}?show=new /owner/employees/import/${added} /owner/employees/join
        /owner/employees/invitations /owner/employees?account=uninvited&choose=all
        /owner/sends /owner/sends?employee=${withAccount} /owner/sends/${mustRead} /owner/sends/${mustRead}/${withAccount}
        /owner/sends/${long.no} /owner/sends/new /owner/sends/new?again=${mustRead} /owner/sends/planned
        /owner/sends/planned/${plan?.draft_id} /owner/sends/planned/${await newest('send_rules')}
        /owner/sends/templates /owner/sends/templates/new /owner/sends/rules
        /owner/sends/templates/${await newest('send_templates')} /owner/keys /owner/keys?state=revoked
        /owner/keys/${await newest('api_keys', sql()`name = 'Penggajian'`)} /owner/keys/${long.keyId}
        /owner/audit /owner/audit?employee=01926f3e-7c1a-7b52-9d4e-0a1b2c3d4e5f /owner/audit/refused /owner/audit/${await newest('audit_log')}
        /owner/statistics /owner/settings /owner/settings/company
        /owner/settings/access /owner/settings/alarms /owner/settings/data`),
    },
  };
}

export type Visits = Pick<Abilities, 'company' | 'signIn' | 'visit'>;

/** Opens every page of a filled company, as its reader, and calls `look`. */
export async function visitEveryPage(
  { company, signIn, visit }: Visits,
  options: BrowserContextOptions,
  look: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const { paths, employee } = await fillEveryPage(company);
  const pages = { stranger: await visit(options), employee: await visit(options), owner: await visit(options) };
  await signIn(pages.employee, employee);
  await signIn(pages.owner, company.username);
  for (const reader of ['stranger', 'employee', 'owner'] as const)
    for (const path of paths[reader]) {
      await pages[reader].goto(path);
      if (path === bell) await pages[reader].locator('.bell-button').click();
      // A path may hold a token, which differs in each run.
      await look(pages[reader], path.replace(/[\w-]{30,}/g, '…'));
    }
  // Without a passkey and with one. From here on the owner can open no other page.
  const { companyId, accountId } = company.owner;
  await sql()`update companies set second_factor_from = now() where id = ${companyId}`;
  for (const state of ['new', 'passkey']) {
    await pages.owner.goto('/login/second-factor');
    await look(pages.owner, `/login/second-factor, ${state}`);
    await sql()`
      insert into passkeys (company_id, account_id, name, credential_id, public_key, counter, transports)
      values (${companyId}, ${accountId}, 'HP', ${randomBytes(32)}, '\\x00', 0, '{}')`;
  }
}
