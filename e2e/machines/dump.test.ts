import { createECDH, hkdfSync } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { encode } from 'next-auth/jwt';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { signInForCookie } from '#e2e/support/http/cookie.ts';
import { sessionCookieName } from '#server/accounts/sessions/cookie.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { isSetupCode } from '#server/companies/companies.ts';
import { createInvitation } from '#server/employees/invitations.ts';
import { findLink } from '#server/employees/personal-links.ts';
import { vapidPublicKey } from '#server/push/deliver.ts';

const url = process.env.SERVICE_URL ?? '';

async function makeLife(): Promise<Company> {
  const company = await makeCompany();
  await company.newKey();
  const [withAccount, invited] = [await company.hire('Karyawan Satu'), await company.hire('Karyawan Dua')];
  const username = await company.giveAccount(withAccount);
  await createInvitation(company.owner, invited.employeeId);
  for (const one of [username, company.username]) expect(await signInForCookie(url, one)).not.toBe('');
  await sql()`insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth, session_id)
    select ${company.owner.companyId}, ${withAccount.employeeId}, sha256(${String(company.owner.companyId)}::bytea),
      'https://updates.push.services.mozilla.com/x', 'cDI1NmRo', 'YXV0aA', min(id)
    from sessions where company_id = ${company.owner.companyId}`;
  return company;
}

type Dump = Record<string, Record<string, unknown>[]>;

/** All rows of a company by table, as a stolen dump contains them. */
async function dumpOf({ owner }: Company): Promise<Dump> {
  const tables = await sql()<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'company_id'`;
  const dump: Dump = {};
  for (const { name } of tables)
    dump[name] = await sql()`select * from ${sql()(name)} where company_id = ${owner.companyId}`;
  return dump;
}

function candidatesIn(value: unknown): string[] {
  if (Buffer.isBuffer(value))
    return [...(['hex', 'base64', 'base64url', 'latin1'] as const).map((encoding) => value.toString(encoding))];
  if (value instanceof Date) return [value.toISOString()];
  if (Array.isArray(value)) return value.flatMap(candidatesIn);
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(candidatesIn);
  // Also the parts of a password hash: salt and digest.
  return typeof value === 'string' ? [value, ...value.split('$')] : [String(value)];
}

const asHeader = (text: string) => text.replace(/[^\x21-\x7e]/g, '');

async function answerToKey(candidate: string): Promise<number> {
  const headers = { 'X-API-Key': asHeader(candidate) };
  return (await fetch(`${url}/api/v1/notif.php?aksi=ping`, { headers })).status;
}

test('no value of a dump works as key, cookie, link, set-up code or secret, or is a password (T16)', async () => {
  const dump = await dumpOf(await makeLife());
  const found = new Set(candidatesIn(dump).filter((one) => one.length >= 4));
  for (const table of ['api_keys', 'invitations', 'sessions', 'accounts', 'push_subscriptions'])
    expect([table, (dump[table]?.length ?? 0) > 0]).toEqual([table, true]);
  expect(found.size).toBeGreaterThan(60);
  const [session] = dump.sessions ?? [];
  const ids = { companyId: session?.company_id, accountId: session?.account_id, sessionId: session?.id };
  const claims = { ...ids, sessionVersion: 1 };
  for (const one of found) {
    // Also with the prefix of a key.
    for (const key of [one, `jss_${one}`]) expect([key, await answerToKey(key)]).toEqual([key, 401]);
    expect([one, await findLink(one)]).toEqual([one, null]);
    expect([one, isSetupCode(one)]).toEqual([one, false]);
    const forged = await encode({ token: claims, secret: one, maxAge: 3600 });
    for (const cookie of [asHeader(one), forged])
      expect([one, await authenticateSession(`${sessionCookieName()}=${cookie}`)]).toEqual([one, null]);
    expect([one, publicKeyFrom(one)]).not.toEqual([one, vapidPublicKey()]);
  }
  // With the right secret they work.
  const secret = process.env.AUTH_SECRET ?? '';
  const cookie = await encode({ token: claims, secret, maxAge: 3600 });
  expect(await authenticateSession(`${sessionCookieName()}=${cookie}`)).not.toBeNull();
  expect(publicKeyFrom(secret)).toBe(vapidPublicKey());
  const hashes = (dump.accounts ?? []).map((account) => String(account.password_hash));
  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const [hash = ''] = hashes;
  expect(await verify(hash, password)).toBe(true);
  const typed = candidatesIn([dump.accounts, dump.api_keys, dump.sessions]).filter((one) => one.length >= 8);
  for (const one of new Set(typed)) expect([one, await verify(hash, one)]).toEqual([one, false]);
});

// The public push key of this AUTH_SECRET. With the right one, an attacker could send to devices.
function publicKeyFrom(secret: string): string | null {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(Buffer.from(hkdfSync('sha256', secret, '', 'VAPID key 0', 32)));
  return curve.getPublicKey('base64url');
}
