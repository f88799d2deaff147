import { randomUUID } from 'node:crypto';
import { sql } from '#db/client.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';
import { listAudit } from '#server/audit/list.ts';
import { createCompany } from '#server/companies/companies.ts';
import { addEmployee, setEmployeesActive } from '#server/employees/employees.ts';
import { createInvitation } from '#server/employees/invitations.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import { maxActiveKeys } from '#server/keys/key-limits.ts';
import { createKey, revokeKey } from '#server/keys/keys.ts';
import type { Employee, Manager } from '#server/principals.ts';

export const password = 'kata sandi uji 123';
noteSecret(password);

/** Returns the value of a function of the product. Throws when its outcome is a text, which is a failure. */
export function must<T extends object | number>(made: T | string): T {
  if (typeof made === 'string') throw new Error(`the fixture could not be made: ${made}`);
  return made;
}

/** Makes sessions those of a provider that confirmed them so many hours ago; with `leftMs` they end so soon. */
export const ageConfirmation = ({ owner }: Company, hours: number, leftMs?: number) => sql()`
  update sessions set issuer = coalesce(issuer, 'https://id.test'), confirmed_at = now() - ${hours} * interval '1 hour',
    confirm_by = now() + coalesce(${leftMs ?? null}::int, (12 - ${hours}::float) * 3_600_000) * interval '1 millisecond'
  where company_id = ${owner.companyId}`;

/** Connects an account with a person at a provider, without its pages. */
export const connect = (username: string, issuer: string, subject: string) => sql()`
  insert into identities (company_id, account_id, issuer, subject, label, used_at)
  select company_id, id, ${issuer}, ${subject}, ${username}, now() from accounts where username = ${username}`;

/** Creates a company for one test, with only an owner. */
export async function makeCompany(name = `Perusahaan Uji ${randomUUID().slice(0, 8)}`) {
  const username = `pemilik-${randomUUID()}`;
  const wanted = { companyName: name, timeZone: 'Asia/Jakarta', ownerName: 'Pemilik Uji', username, password };
  const owner = must(await createCompany(wanted));
  const keyIds: number[] = [];
  /** Invites an employee and returns the token of the invitation's address. */
  const invite = async (employee: Employee) => {
    const { token } = must(await createInvitation(owner, employee.employeeId));
    noteSecret(token);
    return token;
  };
  /** Creates an API key with 60 requests a minute. Revokes the oldest one when 50 are active. */
  const newKey = async (keyName = `kunci ${randomUUID().slice(0, 8)}`) => {
    if (keyIds.length === maxActiveKeys) await revokeKey(owner, keyIds.shift() ?? 0);
    const { id, key } = must(await createKey(owner, { name: keyName }));
    keyIds.push(id);
    noteSecret(key);
    return key;
  };
  return {
    invite,
    owner,
    username,
    newKey,
    /** Creates keys one after another: each locks the company. */
    newKeys: async (count: number) => {
      const keys: string[] = [];
      while (keys.length < count) keys.push(await newKey());
      return keys;
    },
    hire: async (employeeName = 'Karyawan Uji', role = 'Penguji'): Promise<Employee> => {
      const employeeId = must(await addEmployee(owner, { name: employeeName, role }));
      const { companyId, companyName, timeZone } = owner;
      return { kind: 'employee', companyId, companyName, timeZone, employeeId, name: employeeName };
    },
    addManager: async (managerName = 'Manajer Uji'): Promise<Manager & { username: string }> => {
      const { token } = must(await inviteOwner(owner, managerName, 'manager'));
      noteSecret(token);
      const managerUsername = `manajer-${randomUUID()}`;
      const { accountId } = must(await acceptLink(token, managerUsername, password));
      return { ...owner, kind: 'manager', accountId, name: managerName, username: managerUsername };
    },
    deactivate: (employee: Employee) => setEmployeesActive(owner, [employee.employeeId], false),
    activate: (employee: Employee) => setEmployeesActive(owner, [employee.employeeId], true),
    giveAccount: async (employee: Employee) => {
      const employeeUsername = `karyawan-${randomUUID()}`;
      must(await acceptLink(await invite(employee), employeeUsername, password));
      return employeeUsername;
    },
  };
}

/** The actions in the audit log of a company, the newest first. */
export const actionsOf = async ({ owner }: Company): Promise<string[]> =>
  (await listAudit(owner, { limit: 200 })).entries.map(({ action }) => action);

export type Company = Awaited<ReturnType<typeof makeCompany>>;
