import { randomUUID } from 'node:crypto';
import { afterEach, expect, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { actionsOf, type Company, must, password } from '#e2e/support/data/company.ts';
import { newName, signIn } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { authSecret } from '#platform/config/identity.ts';
import { removeOwner } from '#server/accounts/owners/owners.ts';
import { findShownToken, type StoredToken } from '#server/accounts/sessions/tokens.ts';
import { changePassword } from '#server/accounts/sign-in/account.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { listAudit } from '#server/audit/list.ts';
import { addMyself } from '#server/employees/employees.ts';
import { createInvitation, createInvitations, showInvitation } from '#server/employees/invitations.ts';
import { createJoinLink, findJoinLink, revokeJoinLink, showJoinLink } from '#server/employees/join-requests.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';

test('an invitation makes one account, also used twice at once; a taken name leaves it valid', async ({ company }) => {
  const employee = await company.hire('Baru');
  const token = await company.invite(employee);
  expect(await acceptLink(token, company.username.toUpperCase(), password)).toBe('duplicate-username');
  expect(await findLink(token)).toMatchObject({ rights: 'employee', name: 'Baru', username: null });
  const names = [newName(), newName()] as const;
  const used = await Promise.all(names.map((name) => acceptLink(token, name, password)));
  expect(used.filter((result) => result === 'invalid')).toHaveLength(1);
  expect(await findLink(token)).toBeNull();
  expect(await acceptLink(token, newName(), password)).toBe('invalid');
});

test('an invitation is valid for 7 days', async ({ company }) => {
  const token = await company.invite(await company.hire());
  const [row] = await sql()<{ days: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 86400 as days from invitations where company_id = ${company.owner.companyId}`;
  expect(row?.days).toBeCloseTo(7, 2);
  await sql()`update invitations set expires_at = now() - interval '1 second' where company_id = ${company.owner.companyId}`;
  expect(await findLink(token)).toBeNull();
  expect(await acceptLink(token, newName(), password)).toBe('invalid');
});

test('a newer invitation replaces the older and sets a password; a new one ends it', async ({ company, employee }) => {
  const username = await company.giveAccount(employee);
  const older = await Promise.all([1, 2, 3, 4, 5].map(() => company.invite(employee)));
  const valid = (await Promise.all(older.map((token) => findLink(token)))).filter((link) => link !== null);
  expect(valid, 'of those made at once').toHaveLength(1);
  const newer = await company.invite(employee);
  for (const token of older) expect(await findLink(token)).toBeNull();
  expect(await findLink(newer)).toMatchObject({ username });
  expect(await acceptLink(newer, 'diabaikan', 'sandi yang baru')).toMatchObject({ sessionVersion: 2 });
  const token = await company.invite(employee);
  const session = must((await authenticateSession(await signIn(username, 'sandi yang baru'))) ?? 'no session');
  const changed = await changePassword(session, 'sandi yang baru', 'sandi lain yang baru', randomUUID());
  expect(changed).toHaveProperty('accountId');
  expect(await findLink(token)).toBeNull();
});

test('inactive employees and those of another company cannot be invited', async ({ company, other, employee }) => {
  const token = await company.invite(employee);
  await company.deactivate(employee);
  expect(await createInvitation(company.owner, employee.employeeId)).toBe('no-such-employee');
  expect(await acceptLink(token, newName(), password)).toBe('invalid');
  await company.activate(employee);
  expect(await findLink(token), 'being inactive did not use it up').not.toBeNull();
  expect(await createInvitation(other.owner, employee.employeeId)).toBe('no-such-employee');
  for (const wrong of ['', 'x', "'", 'a'.repeat(43), '\0'.repeat(43)]) expect(await findLink(wrong)).toBeNull();
});

test('a sheet invites each employee who can be; tokens are typed once and not logged', async ({ company, other }) => {
  const [second, first] = [await company.hire('Uji B'), await company.hire('Uji A')];
  const withAccount = await company.hire('Uji C');
  const username = await company.giveAccount(withAccount);
  const inactive = await company.hire('Nonaktif');
  await company.deactivate(inactive);
  const otherEmployee = await other.hire('Orang Lain');
  const me = await addMyself(company.owner, 'Pemilik');
  const ids = [second, first, withAccount, inactive, otherEmployee].map(({ employeeId }) => employeeId);
  const made = await createInvitations(company.owner, [...ids, Number(me), 2_000_000_000]);
  const people = made.map((person) => [person.name, person.username]);
  expect(people.flat()).toEqual(['Uji A', null, 'Uji B', null, 'Uji C', username]);
  for (const { token, employeeId } of made) {
    expect(token).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    expect(await findLink(token)).toMatchObject({ employeeId, companyName: company.owner.companyName });
  }
  expect(await sql()`select from invitations where company_id = ${other.owner.companyId}`).toEqual([]);
  const { entries } = await listAudit(company.owner, { limit: 3 });
  const invited = made.map(({ employeeId, name }) => ['invitation.create', { employeeId, name }]);
  expect(entries.map(({ action, details }) => [action, details])).toEqual(expect.arrayContaining(invited));
  const { token = '' } = made[0] ?? {};
  expect(JSON.stringify(entries)).not.toContain(token);
  const chosen = newName();
  expect(await acceptLink(`${token[0]?.toUpperCase()}${token.slice(1)}`, chosen, password)).toHaveProperty('accountId');
  expect(await findLink(token)).toBeNull();
  expect(await authenticatePassword(chosen, password, randomUUID())).toHaveProperty('accountId');
});

test('a new sheet replaces the invitations of its employees only', async ({ company }) => {
  const [one, two] = [await company.hire('Satu'), await company.hire('Dua')];
  const sent = await company.invite(one);
  const [old] = await createInvitations(company.owner, [two.employeeId]);
  const [fresh] = await createInvitations(company.owner, [one.employeeId]);
  expect(await findLink(sent)).toBeNull();
  expect(await findLink(fresh?.token ?? '')).not.toBeNull();
  expect(await findLink(old?.token ?? '')).not.toBeNull();
});

afterEach(() => vi.unstubAllEnvs());

async function inviteSomebody(company: Company): Promise<{ employeeId: number; token: string }> {
  const employee = await company.hire('Siti');
  return { employeeId: employee.employeeId, token: await company.invite(employee) };
}

const openLink = async ({ owner }: Company) =>
  must(await createJoinLink(owner, { role: null, days: 7, maxRequests: 10 }));

test('a link opens again, also as a card, each time audited; once used or expired it is new', async ({ company }) => {
  const { employeeId, token } = await inviteSomebody(company);
  for (let opened = 0; opened < 2; opened++)
    expect(await showInvitation(company.owner, employeeId)).toEqual({ token, shown: 'again' });
  expect((await actionsOf(company)).slice(0, 3)).toEqual(['invitation.show', 'invitation.show', 'invitation.create']);
  const [card] = await createInvitations(company.owner, [employeeId]);
  expect(await showInvitation(company.owner, employeeId)).toEqual({ token: card?.token, shown: 'again' });
  await acceptLink(card?.token ?? '', newName(), password);
  const second = must(await showInvitation(company.owner, employeeId));
  expect(second).toMatchObject({ shown: 'new' });
  await sql()`update invitations set expires_at = now() where company_id = ${company.owner.companyId}`;
  const third = must(await showInvitation(company.owner, employeeId));
  expect(third).toMatchObject({ shown: 'new' });
  expect(new Set([card?.token, second.token, third.token]).size).toBe(3);
});

test('a join link opens again until it expires or is revoked', async ({ company }) => {
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

test('neither another company nor everything in the database opens a link', async ({ company, other }) => {
  const [invitation, link] = [await inviteSomebody(company), await openLink(company)];
  expect(await showInvitation(other.owner, invitation.employeeId)).toBe('no-such-employee');
  expect(await showJoinLink(other.owner, link.id)).toBe('no-such-link');
  expect((await actionsOf(company)).filter((action) => action.endsWith('.show'))).toEqual([]);
  // Without the secret of the settings.
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

test('after a change of AUTH_SECRET the former one still opens a link', async ({ company, owner }) => {
  const [{ employeeId, token }, link] = [await inviteSomebody(company), await openLink(company)];
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

test('an invitation ends when a person who opened it loses their rights', async ({ company, manager }) => {
  const [seen, unseen] = [await inviteSomebody(company), await inviteSomebody(company)];
  expect(await showInvitation(manager, seen.employeeId)).toMatchObject({ token: seen.token });
  await removeOwner(company.owner, manager.accountId, 'manager');
  expect(await findLink(seen.token)).toBeNull();
  expect(await findLink(unseen.token)).not.toBeNull();
});
