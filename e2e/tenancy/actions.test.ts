import pLimit from 'p-limit';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { actionNamed, builtActions } from '#e2e/fixtures/build.ts';
import { callAction } from '#e2e/fixtures/call-action.ts';
import { actions, type Guard } from '#e2e/tenancy/actions.ts';
import { anonymous, type Caller, keyCallers, makeEndedSessions, usersOf } from '#e2e/tenancy/callers.ts';
import { checksumOf } from '#e2e/tenancy/checksum.ts';
import { type FullCompany, type Ids, makeTwoCompanies, missing, signInCookie } from '#e2e/tenancy/full-company.ts';

const inTurn = pLimit(6);
let theirs: FullCompany;
let ours: FullCompany;
let strangers: Caller[];
let before: { theirs: object; ours: object };

const sums = async () => ({
  theirs: await checksumOf(theirs.company.owner.companyId),
  ours: await checksumOf(ours.company.owner.companyId),
});

beforeAll(async () => {
  ({ ours, theirs } = await makeTwoCompanies());
  strangers = [anonymous, ...keyCallers(ours.key), ...(await makeEndedSessions(ours))];
  before = await sums();
});

const ended = '{"problems":{"form":"session-ended"}}';
const guarded = Object.entries(actions).filter(([, { guard }]) => guard !== 'everyone');
const ownerMay: Guard[] = ['owner', 'proved owner', 'signed in'];
const mayCall = (guard: Guard, who: 'owner' | 'employee') =>
  who === 'owner' ? ownerMay.includes(guard) : guard === 'employee' || guard === 'signed in';

test('every action of the build is in the table of guards', () => {
  expect(builtActions.map(({ name }) => name).toSorted()).toEqual(Object.keys(actions).toSorted());
});

test('callers without access to an action get session-ended, for any id (T2, T8, T9)', async () => {
  const { owner, employee } = usersOf(ours);
  const calls = guarded.flatMap(([name, { guard, args }]) => {
    const refusedPeople = [
      ...(mayCall(guard, 'owner') ? [] : [owner]),
      ...(mayCall(guard, 'employee') ? [] : [employee]),
    ];
    const each = (callers: Caller[], ids: Ids) => callers.map((caller) => ({ name, caller, args: args(ids) }));
    return [
      ...each([...strangers, ...refusedPeople], ours.ids),
      ...each(refusedPeople, theirs.ids),
      ...each(refusedPeople, missing),
    ];
  });
  const heard = await Promise.all(
    calls.map(({ name, caller, args }) =>
      inTurn(async () => [name, caller.name, (await callAction(caller, actionNamed(name), args)).result]),
    ),
  );
  expect(heard.filter(([, , result]) => result !== ended)).toEqual([]);
  expect(await sums()).toEqual(before);
});

test('no guarded action is reached from another site, even by an allowed caller (T14)', async () => {
  const answers = await Promise.all(
    guarded.map(([name, { guard, args }]) =>
      inTurn(async () => {
        const caller = usersOf(ours)[mayCall(guard, 'owner') ? 'owner' : 'employee'];
        const headers = { ...caller.headers, 'Sec-Fetch-Site': 'cross-site' };
        return [name, (await callAction({ headers }, actionNamed(name), args(ours.ids))).status];
      }),
    ),
  );
  expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
  expect(await sums()).toEqual(before);
});

test('an action called on another page is forwarded and guarded as on its own page', async () => {
  const { result: own } = await callAction(
    usersOf(ours).owner,
    actionNamed('findTestRecipientAction'),
    [null],
    '/login',
  );
  expect(own).toBe('{"value":{"employeeId":null}}');
  for (const [name, { guard, args }] of guarded) {
    const who = mayCall(guard, 'employee') ? 'owner' : 'employee';
    if (mayCall(guard, who)) continue;
    const { status, result } = await callAction(usersOf(ours)[who], actionNamed(name), args(ours.ids), '/login');
    expect([name, status < 500, result]).toEqual([name, true, ended]);
  }
  expect(await sums()).toEqual(before);
});

test('an action called on another page is forwarded under every host, as behind a proxy', async () => {
  const host = 'portal.example.test';
  const { status, result } = await callAction(
    { headers: { ...usersOf(ours).owner.headers, Host: host }, origin: `http://${host}` },
    actionNamed('findTestRecipientAction'),
    [null],
    '/login',
  );
  expect([status, result]).toEqual([200, '{"value":{"employeeId":null}}']);
});

test('actions that change access need the owner’s password again', async () => {
  const caller = { name: 'an owner', headers: { cookie: await signInCookie(ours.company.owner) } };
  await sql()`update sessions set proved_at = now() - interval '1 hour' where company_id = ${ours.company.owner.companyId}
    and id = (select max(id) from sessions where company_id = ${ours.company.owner.companyId})`;
  const proved = guarded.filter(([, { guard }]) => guard === 'proved owner');
  expect(proved.length).toBeGreaterThan(4);
  for (const [name, { args }] of proved)
    expect([name, (await callAction(caller, actionNamed(name), args(ours.ids))).result]).toEqual([
      ...[name, '{"problems":{"form":"prove-again"}}'],
    ]);
});

test('ids of another company are answered like missing ids, without its data (T8, T10)', async () => {
  for (const [name, { guard, args, names }] of guarded) {
    if (!names) continue;
    for (const who of ['owner', 'employee'] as const) {
      if (!mayCall(guard, who)) continue;
      const call = (ids: Ids) => callAction(usersOf(ours)[who], actionNamed(name), args(ids));
      const [foreign, absent] = [await call(theirs.ids), await call(missing)];
      expect([name, foreign.status, foreign.result]).toEqual([name, absent.status, absent.result]);
      expect([name, foreign.status, foreign.result?.startsWith('{"problems":')]).toEqual([
        name,
        200,
        names === 'refuses',
      ]);
      expect(foreign.text).not.toContain(theirs.marker);
    }
  }
  expect((await sums()).theirs).toEqual(before.theirs);
});

test('allowed callers get their own data, and no other company changes', async () => {
  for (const [name, { guard, args }] of guarded) {
    const someone = usersOf(ours)[mayCall(guard, 'owner') ? 'owner' : 'employee'];
    // The change of the password before it has ended the owner's session.
    const caller =
      name === 'leaveOwnersAction'
        ? { headers: { cookie: await signInCookie({ ...ours.company.owner, accountId: ours.ids.otherOwner }, 2) } }
        : someone;
    const { status, result, text } = await callAction(caller, actionNamed(name), args(ours.ids));
    const wanted =
      name === 'undoMarkAllReadAction' ? '{"problems":{"form":"too-late"}}' : expect.stringMatching(/^\{"value":/);
    expect([name, status, result]).toEqual([name, 200, wanted]);
    expect(text).not.toContain(theirs.marker);
  }
  expect((await sums()).theirs).toEqual(before.theirs);
});
