import { randomUUID } from 'node:crypto';
import { sql } from '#db/client.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { accountOf, type FullCompany, sessionOf, signInCookie } from '#e2e/tenancy/full-company.ts';
import { endOtherSessions } from '#server/accounts/sessions/sessions.ts';

/** A caller and the headers that it sends. */
export type Caller = { name: string; headers: Record<string, string> };

/** Callers with an API key, which is valid for the API only. */
export const keyCallers = (key: string): Caller[] => [
  { name: 'a key in X-API-Key', headers: { 'X-API-Key': key } },
  { name: 'a key in Authorization', headers: { Authorization: `Bearer ${key}` } },
  { name: 'a key in both headers', headers: { Authorization: `Bearer ${key}`, 'X-API-Key': key } },
];

/** A caller without any credentials. */
export const anonymous: Caller = { name: 'anonymous', headers: {} };

/** The signed-in owner, manager and employee of a company. */
export const usersOf = ({
  owner,
  manager,
  employee,
}: FullCompany): Record<'owner' | 'manager' | 'employee', Caller> => ({
  owner: { name: 'the owner', headers: { cookie: owner } },
  manager: { name: 'the manager', headers: { cookie: manager } },
  employee: { name: 'the employee', headers: { cookie: employee } },
});

/**
 * Creates callers with sessions that were valid and then ended: a deactivated employee, a former
 * owner, a former manager, a session ended on another device, a session from before a password
 * change.
 */
export async function makeEndedSessions({ company }: FullCompany): Promise<Caller[]> {
  const { companyId } = company.owner;
  const dismissed = await company.hire('Karyawan Diberhentikan');
  await company.giveAccount(dismissed);
  const [former] = await sql()`insert into accounts (company_id, username, name, password_hash, is_owner)
    values (${companyId}, ${randomUUID()}, 'Mantan Pemilik', 'nobody''s', true) returning id`;
  const [formerManager] = await sql()`insert into accounts (company_id, username, name, password_hash, is_manager)
    values (${companyId}, ${randomUUID()}, 'Mantan Pengelola', 'nobody''s', true) returning id`;
  const accounts = {
    'a deactivated employee': await accountOf(dismissed),
    'a former owner': Number(former?.id),
    'a former manager': Number(formerManager?.id),
    'a session ended on another device': company.owner.accountId,
    'a session from before a password change': await spareOwner(companyId),
  };
  const endedSessions: Caller[] = [];
  for (const [name, accountId] of Object.entries(accounts)) {
    const cookie = await signInCookie({ companyId, accountId });
    const page = name.includes('employee') ? '/portal/settings' : '/owner';
    const { status } = await fetch(baseUrl + page, { headers: { cookie }, redirect: 'manual' });
    if (status !== 200) throw new Error(`${name} was never let in: ${status}`);
    endedSessions.push({ name, headers: { cookie } });
  }
  await company.deactivate(dismissed);
  await sql()`update accounts set is_owner = false where company_id = ${companyId} and id = ${Number(former?.id)}`;
  await sql()`
    update accounts set is_manager = false where company_id = ${companyId} and id = ${Number(formerManager?.id)}`;
  const { sessionId } = await sessionOf(endedSessions[3]?.headers.cookie ?? '');
  await endOtherSessions(await sessionOf(await signInCookie(company.owner)), sessionId);
  await sql()`update accounts set session_version = session_version + 1
    where company_id = ${companyId} and id = ${accounts['a session from before a password change']}`;
  return endedSessions;
}

async function spareOwner(companyId: number): Promise<number> {
  const [row] = await sql()`insert into accounts (company_id, username, name, password_hash, is_owner)
    values (${companyId}, ${randomUUID()}, 'Pemilik Kedua', 'nobody''s', true) returning id`;
  return Number(row?.id);
}
