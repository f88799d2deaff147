import pLimit from 'p-limit';
import { beforeAll, expect, test } from 'vitest';
import { postAction } from '#e2e/support/http/call-action.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { actions } from '#e2e/tenancy/actions.ts';
import { usersOf } from '#e2e/tenancy/callers.ts';
import { checksumOf } from '#e2e/tenancy/checksum.ts';
import { type FullCompany, makeTwoCompanies } from '#e2e/tenancy/full-company.ts';

const inTurn = pLimit(6);
let ours: FullCompany;
let theirs: FullCompany;

beforeAll(async () => {
  ({ ours, theirs } = await makeTwoCompanies());
});

// Arguments that no action accepts.
const args = [
  ...['[]', '[[[{}]]]', '[true]', '["$undefined"]', '["$D0"]'],
  ...[
    '[{"__proto__":{"polluted":true},"id":"1 or 1=1","no":{"gt":0}}]',
    '[{"constructor":{"prototype":{"polluted":true}},"id":[1]}]',
  ],
  '[{"id":2147483648,"no":9007199254740993,"which":-1,"keyId":1.5,"toString":1,"then":1}]',
];
// Bodies that Next cannot parse, that refer to missing parts, or whose decoding costs too much. Next
// answers with an error number; the judge of the bodies with 400.
const unreadable = [
  ...[
    '',
    'null',
    '1',
    '"x"',
    '[',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    '["$1"]',
    '["$1:__proto__:then"]',
    '["$F1"]',
    '["$Q1"]',
  ],
  ...['["$n99999999999999999999"]', '["$W1"]', '["$B1"]', '["$h1"]', '["$T"]', '["$K1"]', '["$@1"]', '["$R1"]'],
];

async function post(names: string[], bodies: string[]) {
  const { owner, manager, employee } = usersOf(ours);
  const calls = names.flatMap((name) => bodies.map((body) => ({ name, body })));
  return Promise.all(
    calls.map(({ name, body }) =>
      inTurn(async () => {
        const { guard = 'everyone' } = actions[name] ?? {};
        const caller = guard === 'employee' ? employee : guard.includes('manager') ? manager : owner;
        const { status, result, text } = await postAction(caller, actionNamed(name), body);
        return { name, body: body.slice(0, 60), status, result, isSaid: text.includes(theirs.marker) };
      }),
    ),
  );
}

test('hostile arguments to every action are refused and change no other company (T8)', async () => {
  const before = await checksumOf(theirs.company.owner.companyId);
  const heard = await post(Object.keys(actions), args);
  expect(heard.filter(({ status, result }) => status !== 200 || result?.startsWith('E'))).toEqual([]);
  const refused = [
    'revokeKeyAction',
    'addNumberedEmployeeAction',
    'sendDraftAction',
    'markReadAction',
    'changePasswordAction',
  ];
  for (const { name, body, result } of heard)
    if (refused.includes(name))
      expect([name, body, result]).toEqual([name, body, expect.stringContaining('"problems"')]);
  const unread = await post(['revokeKeyAction', 'markReadAction', 'chooseLanguageAction'], unreadable);
  const answers = unread.map(({ status, result }) => `${status} ${result}`);
  for (const answer of answers)
    expect(answer).toMatch(/^(?:400 null|500 E\{"digest":"\d+"\}|200 (?:\{"problems":.*|"\$undefined"))$/);
  expect([...heard, ...unread].filter(({ isSaid }) => isSaid)).toEqual([]);
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
  expect((await ask('?aksi=ping', { headers: withKey(ours.key) })).status).toBe(200);
});
