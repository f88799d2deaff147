import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany, must, password } from '#e2e/support/data/company.ts';
import { authSecret } from '#platform/config/identity.ts';
import { removeOwner } from '#server/accounts/owners/owners.ts';
import { findShownToken, type StoredToken } from '#server/accounts/sessions/tokens.ts';
import { listAudit } from '#server/audit/list.ts';
import { createInvitation, createInvitations, showInvitation } from '#server/employees/invitations.ts';
import { createJoinLink, findJoinLink, revokeJoinLink, showJoinLink } from '#server/employees/join-links.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';

afterEach(() => vi.unstubAllEnvs());

const newName = () => `tautan-${randomUUID()}`;
const actionsOf = async ({ owner }: Company) => (await listAudit(owner)).entries.map(({ action }) => action);

async function invite({ owner, hire }: Company): Promise<{ employeeId: number; token: string }> {
  const { employeeId } = await hire('Siti');
  return { employeeId, token: must(await createInvitation(owner, employeeId)).token };
}

const openLink = async ({ owner }: Company) =>
  must(await createJoinLink(owner, { role: null, days: 7, maxRequests: 10 }));

test('an invitation opens again and again, also as a card for paper, and each time is an audit entry', async () => {
  const company = await makeCompany();
  const { employeeId, token } = await invite(company);
  for (let opened = 0; opened < 2; opened++)
    expect(await showInvitation(company.owner, employeeId)).toEqual({ token, shown: 'again' });
  expect((await actionsOf(company)).slice(0, 3)).toEqual(['invitation.show', 'invitation.show', 'invitation.create']);
  const [card] = await createInvitations(company.owner, [employeeId]);
  expect(await showInvitation(company.owner, employeeId)).toEqual({ token: card?.token, shown: 'again' });
  expect(card?.token).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
});

test('an invitation that was used or has expired is not opened: there is a new one', async () => {
  const company = await makeCompany();
  const { employeeId, token } = await invite(company);
  await acceptLink(token, newName(), password);
  const second = must(await showInvitation(company.owner, employeeId));
  expect(second).toMatchObject({ shown: 'new' });
  await sql()`update invitations set expires_at = now() where company_id = ${company.owner.companyId}`;
  const third = must(await showInvitation(company.owner, employeeId));
  expect(third).toMatchObject({ shown: 'new' });
  expect(new Set([token, second.token, third.token]).size).toBe(3);
});

test('a join link opens again until it expires or is revoked', async () => {
  const company = await makeCompany();
  const { id, token } = await openLink(company);
  for (let opened = 0; opened < 2; opened++) expect(await showJoinLink(company.owner, id)).toEqual({ token });
  expect(await findJoinLink(token)).toMatchObject({ linkId: id });
  expect((await actionsOf(company)).slice(0, 2)).toEqual(['join.show', 'join.show']);
  await revokeJoinLink(company.owner, id);
  expect(await showJoinLink(company.owner, id)).toBe('no-such-link');
  const old = await openLink(company);
  await sql()`update join_links set expires_at = now() where company_id = ${company.owner.companyId}`;
  expect(await showJoinLink(company.owner, old.id)).toBe('no-such-link');
});

test('another company opens none of these links', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [invitation, link] = [await invite(company), await openLink(company)];
  expect(await showInvitation(other.owner, invitation.employeeId)).toBe('no-such-employee');
  expect(await showJoinLink(other.owner, link.id)).toBe('no-such-link');
  expect((await actionsOf(company)).filter((action) => action.endsWith('.show'))).toEqual([]);
});

test('everything in the database, without the secret of the settings, opens no link', async () => {
  const company = await makeCompany();
  const [invitation, link] = [await invite(company), await openLink(company)];
  must(await showInvitation(company.owner, invitation.employeeId));
  must(await showJoinLink(company.owner, link.id));
  const tables = await sql()<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`;
  const found: string[] = [];
  for (const { name } of tables)
    for (const { token } of [invitation, link]) {
      const hex = Buffer.from(token).toString('hex');
      const [row] = await sql().unsafe(
        `select from ${name} t where to_jsonb(t)::text like '%${token}%' or to_jsonb(t)::text like '%${hex}%' limit 1`,
      );
      if (row) found.push(name);
    }
  expect([tables.length > 20, found]).toEqual([true, []]);
  vi.stubEnv('AUTH_SECRET', 'another secret than that of the service');
  const stored = await sql()<StoredToken[]>`
    select token_hash as hash, token_salt as salt from invitations where company_id = ${company.owner.companyId}
    union all select token_hash, token_salt from join_links where company_id = ${company.owner.companyId}`;
  expect(stored.map(({ salt }) => salt?.length)).toEqual([16, 16]);
  expect(stored.map(findShownToken)).toEqual([null, null]);
});

test('after a change of AUTH_SECRET the former one still opens a link; without it there is another link', async () => {
  const company = await makeCompany();
  const { owner } = company;
  const [{ employeeId, token }, link] = [await invite(company), await openLink(company)];
  vi.stubEnv('AUTH_SECRET_PREVIOUS', authSecret());
  vi.stubEnv('AUTH_SECRET', 'the next secret of this service, for good');
  expect(await showInvitation(owner, employeeId)).toMatchObject({ token });
  vi.stubEnv('AUTH_SECRET_PREVIOUS', '');
  expect(await showJoinLink(owner, link.id)).toBe('not-shown');
  const another = must(await showInvitation(owner, employeeId));
  expect(another).toMatchObject({ shown: 'another' });
  for (const valid of [token, another.token]) expect(await findLink(valid)).toMatchObject({ name: 'Siti' });
  expect(await findJoinLink(link.token)).not.toBeNull();
  expect(await showInvitation(owner, employeeId)).toEqual({ token: another.token, shown: 'again' });
  await acceptLink(token, newName(), password);
  expect(await findLink(another.token), 'one use ends both').toBeNull();
});

test('an invitation ends when a person who opened it loses their rights', async () => {
  const company = await makeCompany();
  const manager = await company.addManager();
  const [seen, unseen] = [await invite(company), await invite(company)];
  expect(await showInvitation(manager, seen.employeeId)).toMatchObject({ token: seen.token });
  await removeOwner(company.owner, manager.accountId, 'manager');
  expect(await findLink(seen.token)).toBeNull();
  expect(await findLink(unseen.token)).not.toBeNull();
});
