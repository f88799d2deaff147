import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired } from '#e2e/support/data/calls.ts';
import { actionsOf, type Company, must, password } from '#e2e/support/data/company.ts';
import { words } from '#e2e/support/data/random.ts';
import { test } from '#e2e/support/data/test.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { removeOwner } from '#server/accounts/owners/owners.ts';
import { listAudit } from '#server/audit/list.ts';
import { listEmployees } from '#server/employees/employee-list.ts';
import {
  approveJoinRequests,
  countJoinRequests,
  createJoinLink,
  declineJoinRequests,
  findJoinLink,
  findJoinRequest,
  listJoinLinks,
  listJoinRequests,
  requestToJoin,
  revokeJoinLink,
} from '#server/employees/join-requests.ts';
import { type JoinLinkTerms, maxJoinLinks } from '#server/employees/join-terms.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';

let addresses = 0;
const newAddress = () => `192.0.2.${addresses++}`;

async function openLink({ owner }: Company, terms: Partial<JoinLinkTerms> = {}) {
  const made = must(await createJoinLink(owner, { role: null, days: 7, maxRequests: 10, ...terms }));
  noteSecret(made.token);
  return made;
}

async function ask(linkToken: string, name: string, role: string | null = 'Kasir'): Promise<string> {
  const asked = must(await requestToJoin(linkToken, { name, role }, newAddress()));
  noteSecret(asked.token);
  return asked.token;
}

test('an approval ends with the rights of who gave it or the activity of who got it', async ({ company, manager }) => {
  const link = await openLink(company);
  const token = await ask(link.token, 'Calon Satu');
  await approveJoinRequests(manager, await listJoinRequests(manager));
  await removeOwner(company.owner, manager.accountId, 'manager');
  expect(await findJoinRequest(token)).toMatchObject({ state: 'expired' });
  const second = await ask(link.token, 'Calon Empat');
  await approveJoinRequests(company.owner, await listJoinRequests(company.owner));
  const [employee] = await listEmployees(company.owner, { search: 'Calon Empat' });
  await company.deactivate({ ...company.owner, kind: 'employee', employeeId: employee?.id ?? 0 });
  expect(await acceptLink(second, 'calon-empat', password)).toBe('invalid');
});

test('an approved person becomes an employee; their token opens the sign-up alone', async ({ company, other }) => {
  const link = await openLink(company);
  expect(await findJoinLink(link.token.toUpperCase())).toMatchObject({ companyName: company.owner.companyName });
  const token = await ask(link.token, 'Calon Satu');
  expect(await findJoinRequest(token)).toMatchObject({ name: 'Calon Satu', state: 'waiting' });
  expect([await findLink(token), await findJoinLink(token)]).toEqual([null, null]);
  expect([await findLink(link.token), await findJoinRequest(link.token)]).toEqual([null, null]);
  const stored = await sql()`
    select encode(token_hash, 'escape') as hash from join_requests where company_id = ${company.owner.companyId}`;
  expect(JSON.stringify(stored)).not.toContain(token);
  expect([await countJoinRequests(company.owner), await countJoinRequests(other.owner)]).toEqual([1, 0]);
  const [request] = await listJoinRequests(company.owner);
  if (!request) throw new Error('the request is missing');
  const approval = { id: request.id, name: 'Calon Pertama', role: 'Gudang' };
  expect(await approveJoinRequests(other.owner, [approval])).toBe(0);
  expect(await approveJoinRequests(company.owner, [approval])).toBe(1);
  expect(await approveJoinRequests(company.owner, [approval])).toBe(0);
  expect(await findJoinRequest(token)).toMatchObject({ state: 'approved' });
  expect(await findLink(token)).toMatchObject({ name: 'Calon Pertama', username: null });
  const account = await acceptLink(token, `calon-${link.id}-${company.owner.companyId}`, password);
  expect(account).toMatchObject({ companyId: company.owner.companyId });
  expect(await findJoinRequest(token)).toMatchObject({ state: 'joined' });
  expect(await listEmployees(company.owner)).toMatchObject([{ name: 'Calon Pertama', role: 'Gudang', active: true }]);
  const [counted] = await sql()`
    select active_employees as count, (select count(*)::int from employment s where s.company_id = c.id) as spans
    from companies c where id = ${company.owner.companyId}`;
  expect(counted).toEqual({ count: 1, spans: 1 });
  const actions = words('invitation.accept join.approve employee.add join.request join.open');
  expect((await actionsOf(company)).slice(0, 5)).toEqual(actions);
});

test('a declined person is told, gets no invitation, and cannot be approved any more', async ({ company, other }) => {
  const token = await ask((await openLink(company)).token, 'Calon Dua');
  const ids = (await listJoinRequests(company.owner)).map(({ id }) => id);
  expect(await declineJoinRequests(other.owner, ids)).toBe(0);
  expect(await declineJoinRequests(company.owner, ids)).toBe(1);
  expect(await findJoinRequest(token)).toMatchObject({ state: 'declined' });
  const approvals = ids.map((id) => ({ id, name: 'Calon', role: 'x' }));
  expect(await approveJoinRequests(company.owner, approvals)).toBe(0);
  expect(await findLink(token)).toBeNull();
  expect((await actionsOf(company)).slice(0, 3)).toEqual(['join.decline', 'join.request', 'join.open']);
});

test('many requests are approved at once, each with its own name, role and token', async ({ company }) => {
  const link = await openLink(company, { role: 'Kasir', maxRequests: 50 });
  const tokens: string[] = [];
  for (let number = 1; number <= 30; number++) tokens.push(await ask(link.token, `Calon ${number}`, 'diabaikan'));
  const requests = await listJoinRequests(company.owner);
  expect(new Set(requests.map(({ role }) => role))).toEqual(new Set(['Kasir']));
  // The order of a decision says nothing about who gets which name.
  expect(await approveJoinRequests(company.owner, requests.toReversed())).toBe(30);
  for (const [at, token] of tokens.entries()) expect(await findLink(token)).toMatchObject({ name: `Calon ${at + 1}` });
});

test('an ended, revoked, full or unknown link takes no request, also of many at once', async ({ company, other }) => {
  const [full, revoked, ended] = [await openLink(company), await openLink(company), await openLink(company)];
  const askFull = () => requestToJoin(full.token, { name: 'Calon', role: 'x' }, newAddress());
  const asked = await Promise.all(Array.from({ length: 14 }, askFull));
  expect(asked.filter((one) => one === 'no-such-link')).toHaveLength(4);
  expect(await countJoinRequests(company.owner)).toBe(10);
  expect(await revokeJoinLink(other.owner, revoked.id)).toBe('no-such-link');
  expect(await revokeJoinLink(company.owner, revoked.id)).toBe('revoked');
  await sql()`update join_links set expires_at = now() where company_id = ${company.owner.companyId} and id = ${ended.id}`;
  for (const token of [full.token, revoked.token, ended.token, 'aaaaa-aaaaa-aaaaa-aaaaa', "' or 1=1 --"]) {
    expect(await findJoinLink(token)).toBeNull();
    expect(await requestToJoin(token, { name: 'Calon', role: 'x' }, newAddress())).toBe('no-such-link');
  }
  expect((await listJoinLinks(company.owner)).map(({ id, requests }) => [id, requests])).toEqual([[full.id, 10]]);
  // A stranger adds as many audit entries as the link takes requests, and no more.
  const all = (await listAudit(company.owner, { limit: 50 })).entries;
  const entries = all.filter(({ action }) => action === 'join.request');
  expect(entries).toHaveLength(10);
  expect(entries[0]).toMatchObject({ actorKind: 'system', details: { role: 'x', linkId: full.id } });
  expect(JSON.stringify(entries)).not.toContain('192.0.2.');
  expect(await actionsOf(other)).not.toContain('join.request');
});

test('a company has at most a handful of open links', async ({ company }) => {
  for (let made = 0; made < maxJoinLinks; made++) await openLink(company);
  const terms = { role: null, days: 1, maxRequests: 10 } as const;
  expect(await createJoinLink(company.owner, terms)).toBe('too-many');
  const [newest] = await listJoinLinks(company.owner);
  await revokeJoinLink(company.owner, newest?.id ?? 0);
  expect(await createJoinLink(company.owner, terms)).toMatchObject({ token: expect.any(String) });
});

test('the list warns of a namesake among employees and open requests of the company', async ({ company, other }) => {
  const known = await company.hire('Nama Sama', 'Sopir');
  await other.hire('Calon Lain');
  await ask((await openLink(other)).token, 'Calon Lain');
  const link = await openLink(company);
  for (const name of ['nama sama', 'Calon Lain', 'Kembar', 'KEMBAR']) await ask(link.token, name);
  const { employeeId } = known;
  expect(await listJoinRequests(company.owner)).toMatchObject([
    { name: 'nama sama', namesake: { employeeId }, twice: false },
    { name: 'Calon Lain', namesake: null, twice: false },
    { name: 'Kembar', namesake: null, twice: true },
    { name: 'KEMBAR', namesake: null, twice: true },
  ]);
});

test('a few addresses cannot use up a link; approvals and refusals make room', async ({ company }) => {
  const { id, token } = await openLink(company, { maxRequests: 50 });
  const askFrom = async (from: string, times: number) => {
    const names = Array.from({ length: times }, (_, at) => `Calon ${from} ${at}`);
    const asked = await Promise.all(names.map((name) => requestToJoin(token, { name, role: null }, from)));
    for (const one of asked) if (typeof one === 'object') noteSecret(one.token);
    return asked.filter((one) => typeof one === 'object').length;
  };
  const used = async () => (await listJoinLinks(company.owner)).find((link) => link.id === id)?.requests;
  const floods = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
  const taken = [];
  for (const from of floods) taken.push(await askFrom(from, 60));
  expect(taken).toEqual([25, 13, 6, 3, 2]);
  expect(await askFrom('192.0.2.99', 1)).toBe(1);
  expect(await used()).toBe(50);
  const waiting = await listJoinRequests(company.owner);
  const networks = [...Map.groupBy(waiting, ({ network }) => network).values()];
  expect(Math.max(...networks.map((requests) => requests.length))).toBe(25);
  const declined = waiting.slice(0, 47).map((request) => request.id);
  await declineJoinRequests(company.owner, declined);
  expect(await used()).toBe(3);
  // A workplace behind one address: 24 ask, are approved, and the other 23 follow.
  expect(await askFrom('198.51.100.1', 60)).toBe(24);
  const workplace = (await listJoinRequests(company.owner)).filter(({ name }) => name.includes('198.51.100.1'));
  const approved = workplace.map((request) => ({ ...request, role: 'Kasir' }));
  await approveJoinRequests(company.owner, approved);
  expect(await askFrom('198.51.100.1', 60)).toBe(23);
});

test('requests are deleted after 30 days, and links once no request refers to them', async ({ company }) => {
  const [old, open] = [await openLink(company), await openLink(company)];
  const [gone, kept] = [await ask(old.token, 'Calon Lama'), await ask(open.token, 'Calon Baru')];
  await sql()`update join_requests set created_at = now() - interval '31 days'
    where company_id = ${company.owner.companyId} and link_id = ${old.id}`;
  await sql()`update join_links set expires_at = now() - interval '31 days'
    where company_id = ${company.owner.companyId} and id = ${old.id}`;
  await deleteExpired();
  expect([await findJoinRequest(gone), await findJoinRequest(kept)]).toMatchObject([null, { state: 'waiting' }]);
  const left = await sql()`select id from join_links where company_id = ${company.owner.companyId}`;
  expect(left.map(({ id }) => id)).toEqual([open.id]);
});
