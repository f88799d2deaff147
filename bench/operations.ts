import postgres from 'postgres';
import { addKeys } from '#e2e/support/data/dataset/dataset.ts';
import { openSessionCookie } from '#e2e/support/data/owners.ts';

/** Sessions, keys and ids of one company that the operations use. */
export type Actors = {
  url: string;
  owner: string;
  employee: string;
  key: () => string;
  employeeId: number;
  lastNo: number;
  broadcast: number;
};

type Operation = { name: string; ask: (actors: Actors) => Promise<Response> };

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
      e.account_id as "employeeAccount",
      (select max(no) from notifications where company_id = c.id and recipient_id is null and reminds_no is null and withdrawn_no is null) as broadcast
    from companies c join accounts o on o.company_id = c.id and o.is_owner
    cross join lateral (select * from employees where company_id = c.id and account_id is not null order by id limit 1) e
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

const page = (name: string, who: 'owner' | 'employee', path: string | ((actors: Actors) => string)): Operation => ({
  name,
  ask: (actors) =>
    fetch(actors.url + (typeof path === 'string' ? path : path(actors)), {
      headers: { Cookie: actors[who] },
      redirect: 'manual',
    }),
});

const call = (name: string, query: string, body?: (actors: Actors) => object): Operation => ({
  name,
  ask: (actors) =>
    fetch(`${actors.url}/api/v1/notif.php${query}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-API-Key': actors.key(), ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body(actors)),
    }),
});

const draft = { judul: 'Kiriman uji', isi: 'Isi kiriman uji.' };

// Each as it is done most often: by programs, open portals, people who sign in, and owners.
export const operations = [
  call('ping', '?aksi=ping'),
  call('karyawan', '?aksi=karyawan'),
  call('send to one', '', ({ employeeId }) => ({ ...draft, user_id: employeeId })),
  call('send to all', '', () => draft),
  page('portal: notifications', 'employee', '/portal/notifications'),
  page('portal: unread only', 'employee', '/portal/notifications?filter=unread'),
  page('feed: nothing new', 'employee', ({ lastNo }) => `/portal/feed?after=${lastNo + 1000}`),
  page(
    'feed: 50 new, with count',
    'employee',
    ({ lastNo }) => `/portal/feed?after=${Math.floor(lastNo * 0.9)}&count=1`,
  ),
  page('owner: home', 'owner', '/owner'),
  page('owner: employees', 'owner', '/owner/employees'),
  page('owner: keys', 'owner', '/owner/keys'),
  page('owner: sends', 'owner', '/owner/sends'),
  page('owner: one broadcast', 'owner', ({ broadcast }) => `/owner/sends/${broadcast}`),
  page('owner: audit', 'owner', '/owner/audit'),
];
