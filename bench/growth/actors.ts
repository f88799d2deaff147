import postgres from 'postgres';
import type { Actors } from '#bench/growth/operations.ts';
import { addKeys } from '#e2e/support/data/dataset/dataset.ts';
import { openSessionCookie } from '#server/accounts/sign-in/authenticate.ts';

type Found = Omit<Actors, 'url' | 'owner' | 'employee' | 'key'> & {
  companyId: number;
  ownerAccount: number;
  employeeAccount: number;
};

/**
 * Signs in the owner and first employee of the first or last company and creates keys; `adminUrl`
 * is a superuser's.
 */
export async function signInActors(adminUrl: string, url: string, which: 'first' | 'last'): Promise<Actors> {
  const sql = postgres(adminUrl, {
    max: 1,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  });
  const [found] = await sql<Found[]>`
    select c.id as "companyId", c.last_no as "lastNo", o.id as "ownerAccount", e.id as "employeeId",
      e.account_id as "employeeAccount", l.id as entry, l.request_id as "requestId",
      (select max(id) from api_keys where company_id = c.id and revoked_at is null) as "keyId",
      (select max(no) from notifications where company_id = c.id and recipient_id is null and reminds_no is null and withdrawn_no is null) as broadcast,
      (select max(no) from notifications where company_id = c.id and recipient_id is null and must_confirm and withdrawn_no is null) as confirmable
    from companies c join accounts o on o.company_id = c.id and o.is_owner
    cross join lateral (select * from employees where company_id = c.id and account_id is not null order by id limit 1) e
    cross join lateral (select id, request_id from audit_log where company_id = c.id order by id desc offset 100 limit 1) l
    order by c.id * ${which === 'first' ? 1 : -1} limit 1`;
  if (!found) throw new Error('the data set has no company');
  const { companyId, ownerAccount, employeeAccount, ...rest } = found;
  const cookie = async (accountId: number) => {
    const { name, value } = await openSessionCookie(
      { companyId, accountId, sessionVersion: 1 },
      { address: '', client: '' },
    );
    return `${name}=${value}`;
  };
  const keys = await addKeys(sql, companyId, 8);
  await sql.end();
  let turn = 0;
  const key = () => keys[turn++ % keys.length] ?? '';
  return { ...rest, url, key, owner: await cookie(ownerAccount), employee: await cookie(employeeAccount) };
}
