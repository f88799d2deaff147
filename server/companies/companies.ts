import { createHmac, timingSafeEqual } from 'node:crypto';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { hasRows, requireRow, sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { authSecret } from '#platform/config/identity.ts';
import type { Language } from '#platform/language.ts';
import { withNewPassword } from '#server/accounts/sign-in/account.ts';
import type { WeakPassword } from '#server/accounts/sign-in/password-strength.ts';
import { changeSettings, findSettings } from '#server/audit/company-settings.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type Kind, kinds } from '#server/notifications/kinds.ts';
import type { Manager, Operator, Owner } from '#server/principals.ts';

/** A new company: its name (1–120 characters), an IANA time zone, and its owner's account. */
type NewCompany = {
  companyName: string;
  timeZone: string;
  ownerName: string;
  username: string;
  password: string;
  language?: Language;
};

const selectOwners = () => sql()`select from accounts where is_owner limit 1`;

/** Whether any owner exists. Until then the set-up page asks for the code of the server's log. */
export async function hasOwner(): Promise<boolean> {
  return hasRows(selectOwners());
}

/**
 * Creates a company and its owner. With `onlyFirst`, only while no owner exists; of two concurrent
 * calls one succeeds. Returns the owner.
 */
export async function createCompany(
  input: NewCompany,
  { onlyFirst = false }: { onlyFirst?: boolean } = {},
): Promise<Owner | WeakPassword | 'duplicate-username' | 'already-set-up'> {
  const insert = async (tx: Transaction, passwordHash: string) => {
    await tx`select pg_advisory_xact_lock(${advisoryLocks.setUp})`;
    if (onlyFirst && (await hasRows(tx`${selectOwners()}`))) return 'already-set-up';
    return insertCompany(tx, input, passwordHash);
  };
  const names = [input.companyName, input.ownerName, input.username];
  return withNewPassword(input.password, names, insert, 'sign-up');
}

async function insertCompany(tx: Transaction, input: NewCompany, passwordHash: string): Promise<Owner> {
  const { companyName, timeZone, ownerName, username, language = null } = input;
  const row = await requireRow(tx<{ companyId: Rows['accounts']['companyId']; accountId: Rows['accounts']['id'] }[]>`
    with company as (
      insert into companies (name, time_zone) values (${companyName}, ${timeZone}) returning id
    )
    insert into accounts (company_id, username, name, password_hash, is_owner, language)
    select id, ${username}, ${ownerName}, ${passwordHash}, true, ${language}::text from company
    returning company_id as "companyId", id as "accountId"`);
  const owner: Owner = { kind: 'owner', ...row, companyName, timeZone, name: ownerName };
  const actor = { ...row, name: ownerName };
  await recordAudit(tx, actor, 'company.create', { name: companyName, timeZone, username });
  return owner;
}

/** What owners may change: a name of 1–120 characters and an IANA time zone. */
type CompanyDetails = { companyName: string; timeZone: string };

/** Changes the company. Audit entries keep the old name. */
export const editCompany = (owner: Owner, { companyName: name, timeZone }: CompanyDetails) =>
  changeSettings(owner, { name, timeZone });

const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The set-up code, such as `K7QM-2XWT-9DHP`: the server logs it, and the first visitor of `/setup`
 * enters it. It is derived from AUTH_SECRET, so every process has the same code and none is stored.
 */
export function setupCode(): string {
  const digest = createHmac('sha256', authSecret()).update('set-up code').digest();
  const letters = [...digest.subarray(0, 12)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** Whether a text is the set-up code; case, spaces and dashes do not matter. */
export function isSetupCode(text: string): boolean {
  const plain = (code: string) => Buffer.from(code.toUpperCase().replace(/[^0-9A-Z]/g, ''));
  const received = plain(text);
  const expected = plain(setupCode());
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** The kinds whose notifications must be confirmed, in the order of `kinds`. */
export async function findMustConfirmKinds(manager: Manager): Promise<Kind[]> {
  const { mustConfirmKinds } = await findSettings(manager, ['mustConfirmKinds']);
  return kinds.filter((kind) => mustConfirmKinds.includes(kind));
}

/** Sets the kinds whose notifications must be confirmed. Earlier notifications stay as they are. */
export const setMustConfirmKinds = (owner: Owner, chosen: Kind[]) =>
  changeSettings(owner, { mustConfirmKinds: kinds.filter((kind) => chosen.includes(kind)) });

/** A company as the operator sees it. `owners` counts its owners, `people` its active employees. */
type CompanySummary = Pick<Rows['companies'], 'name' | 'createdAt'> & {
  companyId: Rows['companies']['id'];
  owners: number;
  people: Rows['companies']['activeEmployees'];
};

export async function listCompanies(_: Operator): Promise<CompanySummary[]> {
  return sql()<CompanySummary[]>`
    select c.id as "companyId", c.name, c.active_employees as people, c.created_at as "createdAt",
      (select count(*)::int from accounts a where a.company_id = c.id and a.is_owner) as owners
    from companies c order by c.id`;
}

/**
 * The company with this number or, without regard to case, this name. With null, the only company.
 * `'several'`: more than one has this name or, with null, exists.
 */
export async function findCompany(
  _: Operator,
  numberOrName: string | null,
): Promise<{ companyId: number; name: string } | 'no-such-company' | 'several'> {
  const byName = sql()`lower(name) = lower(${numberOrName ?? ''})`;
  const [company, another] = await sql()<{ companyId: number; name: string }[]>`
    select id as "companyId", name from companies
    ${numberOrName === null ? sql()`` : sql()`where ${/^\d{1,9}$/.test(numberOrName) ? sql()`${byName} or id = ${Number(numberOrName)}` : byName}`}
    order by id limit 2`;
  if (!company) return 'no-such-company';
  return another ? 'several' : company;
}
