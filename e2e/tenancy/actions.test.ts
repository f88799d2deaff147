import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { words } from '#e2e/support/data/random.ts';
import { callAction, postAction } from '#e2e/support/http/call-action.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';
import { actionNamed, builtActions } from '#e2e/support/service/build.ts';
import { actionOf, actions, type Guard, namesOf } from '#e2e/tenancy/actions.ts';
import { anonymous, type Caller, checksumOf, keyCallers, makeEndedSessions, usersOf } from '#e2e/tenancy/callers.ts';
import { type FullCompany, type Ids, makeTwoCompanies, missing, sessionOf } from '#e2e/tenancy/full-company.ts';
import messages from '#messages/id/icu/pages.json' with { type: 'json' };

const inTurn = pLimit(6);
const { ours, theirs } = await makeTwoCompanies();
const keyed = keyCallers(ours.key);
const endedSessions = await makeEndedSessions(ours);

const sumOf = ({ company }: FullCompany) => checksumOf(company.owner.companyId);
const sums = async () => ({ theirs: await sumOf(theirs), ours: await sumOf(ours) });
const before = await sums();

const ended = '{"problems":{"form":"session-ended"}}';
const guarded = Object.entries(actions).filter(([, { guard }]) => guard !== 'everyone');
type Who = keyof ReturnType<typeof usersOf>;
const people: Who[] = ['owner', 'manager', 'employee'];
const may = { owner: 'owner, manager, signed in', manager: 'manager, signed in', employee: 'employee, signed in' };
const rightOf = (guard: Guard) => guard.replace('reauthenticated ', '');
const mayCall = (guard: Guard, who: Who) => may[who].includes(rightOf(guard));
// The person with the fewest rights among those who may call it. For actions of a session, the owner.
const callerOf = (guard: Guard): Who => people.find((who) => who === rightOf(guard)) ?? 'owner';

test('every action of the build is in the table of guards; owners read what a denied one does', () => {
  expect(builtActions.map(({ name }) => name).toSorted()).toEqual(namesOf(Object.keys(actions)).toSorted());
  const names = namesOf(guarded.map(([name]) => name));
  expect(Object.keys(messages.audit.denied).toSorted()).toEqual(names.toSorted());
});

test('callers without access to an action get session-ended, for any id (T2, T8, T9)', async () => {
  // Keys and ended sessions take turns over the actions, because one function judges all of them.
  const turnOf = (all: Caller[], index: number) => all[index % all.length] ?? anonymous;
  const calls = guarded.flatMap(([name, { guard, args }], index) => {
    const refusedPeople = people.filter((who) => !mayCall(guard, who)).map((who) => usersOf(ours)[who]);
    const each = (callers: Caller[], ids: Ids) => callers.map((caller) => ({ name, caller, args: args(ids) }));
    return [
      ...each([anonymous, turnOf(keyed, index), turnOf(endedSessions, index), ...refusedPeople], ours.ids),
      ...each(refusedPeople, theirs.ids),
      ...each(refusedPeople, missing),
    ];
  });
  const heard = await Promise.all(
    calls.map(({ name, caller, args }) =>
      inTurn(async () => [name, caller.name, (await callAction(caller, actionOf(name), args)).result]),
    ),
  );
  expect(heard.filter(([, , result]) => result !== ended)).toEqual([]);
  expect(await sums()).toEqual(before);
});

test('no guarded action is reached from another site, even by an allowed caller (T14)', async () => {
  const answers = await Promise.all(
    guarded.map(([name, { guard, args }]) =>
      inTurn(async () => {
        const caller = usersOf(ours)[callerOf(guard)];
        const headers = { ...caller.headers, 'Sec-Fetch-Site': 'cross-site' };
        return [name, (await callAction({ headers }, actionOf(name), args(ours.ids))).status];
      }),
    ),
  );
  expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
  expect(await sums()).toEqual(before);
});

test('an action called on another page is forwarded and guarded, under every host as behind a proxy', async () => {
  const { headers } = usersOf(ours).owner;
  const proxied = { headers: { ...headers, Host: 'portal-kantor' }, origin: 'http://portal-kantor' };
  for (const owner of [{ headers }, proxied]) {
    const { status, result } = await callAction(owner, actionNamed('findTestRecipientAction'), [false], '/login');
    expect([status, result]).toEqual([200, '{"value":{"employeeId":null}}']);
  }
  const largest = { name: 'x'.repeat(16_000), role: 'Staf', staffNumber: '' };
  const { result } = await callAction({ headers }, actionNamed('addNumberedEmployeeAction'), [largest], '/login');
  expect(result).toBe('{"problems":{"name":"tooLong"}}');
  for (const [name, { guard, args }] of guarded) {
    const who = mayCall(guard, 'employee') ? 'owner' : 'employee';
    if (mayCall(guard, who)) continue;
    const { status, result } = await callAction(usersOf(ours)[who], actionOf(name), args(ours.ids), '/login');
    expect([name, status < 500, result]).toEqual([name, true, ended]);
  }
  expect(await sums()).toEqual(before);
});

test('actions that change access need the password of the owner or manager again', async () => {
  const { companyId } = ours.company.owner;
  const { accountId } = (await sessionOf(ours.manager)).account;
  const reauthenticated = guarded.filter(([, { guard }]) => guard.startsWith('reauthenticated'));
  expect(reauthenticated.length).toBeGreaterThan(4);
  const manager = await openSessionOf({ companyId, accountId });
  const cookies = { owner: await openSessionOf(ours.company.owner), manager };
  await sql()`update sessions set proved_at = now() - interval '1 hour' where company_id = ${companyId}
    and id in (select id from sessions where company_id = ${companyId} order by id desc limit 2)`;
  for (const who of ['owner', 'manager'] as const)
    for (const [name, { guard, args }] of reauthenticated) {
      const caller = { headers: { cookie: cookies[who] } };
      const wanted = mayCall(guard, who) ? '{"problems":{"form":"prove-again"}}' : ended;
      const { result } = await callAction(caller, actionOf(name), args(ours.ids));
      expect([who, name, result]).toEqual([who, name, wanted]);
    }
});

test('a session that still needs a second factor may do only what proves one', async () => {
  const { owner } = ours.company;
  const caller = { headers: { cookie: await openSessionOf(owner) } };
  await sql()`update companies set second_factor_from = now() where id = ${owner.companyId}`;
  // Its code is right, so it would give the session the second factor.
  const others = guarded.filter(([name]) => name !== 'acceptRecoveryCodeAction');
  const results = await Promise.all(
    others.map(([name, { args }]) =>
      inTurn(async () => [name, (await callAction(caller, actionOf(name), args(missing))).result]),
    ),
  );
  await sql()`update companies set second_factor_from = null where id = ${owner.companyId}`;
  const answered = results.filter(([, result]) => result !== ended).map(([name]) => name);
  const open = 'addPasskeyAction findPasskeyOptionsAction provePasskeyAction reauthenticateAction startPasskeyAction';
  expect(answered.filter((name) => name !== 'listReauthenticationWaysAction').sort()).toEqual(words(open));
});

test('ids of another company are answered like missing ids, without its data (T8, T10)', async () => {
  for (const [name, { guard, args, names }] of guarded) {
    if (!names) continue;
    for (const who of people) {
      if (!mayCall(guard, who)) continue;
      const call = (ids: Ids) => callAction(usersOf(ours)[who], actionOf(name), args(ids));
      const [foreign, absent] = [await call(theirs.ids), await call(missing)];
      expect([name, foreign.status, foreign.result]).toEqual([name, absent.status, absent.result]);
      expect([name, foreign.status]).toEqual([name, 200]);
      expect([name, foreign.result?.startsWith('{"problems":')]).toEqual([name, names === 'refuses']);
      expect([name, who, foreign.result]).not.toEqual([name, who, ended]);
      expect(foreign.text).not.toContain(theirs.marker);
    }
  }
  expect((await sums()).theirs).toEqual(before.theirs);
});

// Actions that fail even for an allowed caller, with the failure.
const refusals: Record<string, string> = {
  undoMarkAllReadAction: 'too-late',
  provePasskeyAction: 'wrong-passkey',
  addPasskeyAction: 'wrong-passkey',
  remindToConnectAction: 'nobody-left',
};

test('allowed callers get their own data, and no other company changes', async () => {
  for (const [name, { guard, args }] of guarded) {
    const someone = usersOf(ours)[callerOf(guard)];
    // An earlier action changed the password, which ended the owner's session.
    const caller =
      name === 'leaveOwnersAction'
        ? { headers: { cookie: await openSessionOf({ ...ours.company.owner, accountId: ours.ids.otherOwner }) } }
        : someone;
    const { status, result, text } = await callAction(caller, actionOf(name), args(ours.ids));
    const refusal = refusals[name];
    const wanted = refusal ? `{"problems":{"form":"${refusal}"}}` : expect.stringMatching(/^\{"value":/);
    expect([name, status, result]).toEqual([name, 200, wanted]);
    expect(text).not.toContain(theirs.marker);
  }
  expect((await sums()).theirs).toEqual(before.theirs);
});

// Arguments that no action accepts.
const hostile = [
  ...['[]', '[[[{}]]]', '[true]', '["$undefined"]', '["$D0"]'],
  '[{"__proto__":{"polluted":true},"id":"1 or 1=1","no":{"gt":0}}]',
  '[{"constructor":{"prototype":{"polluted":true}},"id":[1]}]',
  '[{"id":2147483648,"no":9007199254740993,"which":-1,"keyId":1.5,"toString":1,"then":1}]',
];
async function postEach(company: FullCompany, name: string) {
  const caller = usersOf(company)[callerOf(actions[name]?.guard ?? 'everyone')];
  const answers = hostile.map((body) =>
    inTurn(async () => ({ name, body, ...(await postAction(caller, actionOf(name), body)) })),
  );
  return Promise.all(answers);
}

test('hostile arguments to every action are refused and change no other company (T8)', async () => {
  // New companies, because an action that takes no argument does its work here.
  const { ours, theirs } = await makeTwoCompanies();
  const before = await sumOf(theirs);
  const heard = (await Promise.all(Object.keys(actions).map((name) => postEach(ours, name)))).flat();
  expect(heard.filter(({ status, result }) => status !== 200 || result?.startsWith('E'))).toEqual([]);
  const refused = words(`revokeKeyAction addNumberedEmployeeAction sendMessageAction
    markReadAction changePasswordAction`);
  for (const { name, body, result } of heard)
    if (refused.includes(name))
      expect([name, body, result]).toEqual([name, body, expect.stringContaining('"problems"')]);
  expect(heard.filter(({ text }) => text.includes(theirs.marker))).toEqual([]);
  expect(await sumOf(theirs)).toEqual(before);
  expect((await ask('?aksi=ping', { headers: withKey(ours.key) })).status).toBe(200);
});
