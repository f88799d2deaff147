import pLimit from 'p-limit';
import { beforeAll, expect, test } from 'vitest';
import { words } from '#e2e/support/data/words.ts';
import { postAction } from '#e2e/support/http/call-action.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';
import { actionOf, actions } from '#e2e/tenancy/actions.ts';
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
  '[{"__proto__":{"polluted":true},"id":"1 or 1=1","no":{"gt":0}}]',
  '[{"constructor":{"prototype":{"polluted":true}},"id":[1]}]',
  '[{"id":2147483648,"no":9007199254740993,"which":-1,"keyId":1.5,"toString":1,"then":1}]',
];
async function postEach(name: string) {
  const { owner, manager, employee } = usersOf(ours);
  const { guard = 'everyone' } = actions[name] ?? {};
  const caller = guard === 'employee' ? employee : guard.includes('manager') ? manager : owner;
  const answers = args.map((body) =>
    inTurn(async () => ({ name, body, ...(await postAction(caller, actionOf(name), body)) })),
  );
  return Promise.all(answers);
}

test('hostile arguments to every action are refused and change no other company (T8)', async () => {
  const before = await checksumOf(theirs.company.owner.companyId);
  const heard = (await Promise.all(Object.keys(actions).map(postEach))).flat();
  expect(heard.filter(({ status, result }) => status !== 200 || result?.startsWith('E'))).toEqual([]);
  const refused = words(`
    revokeKeyAction addNumberedEmployeeAction sendMessageAction markReadAction changePasswordAction
  `);
  for (const { name, body, result } of heard)
    if (refused.includes(name))
      expect([name, body, result]).toEqual([name, body, expect.stringContaining('"problems"')]);
  expect(heard.filter(({ text }) => text.includes(theirs.marker))).toEqual([]);
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
  expect((await ask('?aksi=ping', { headers: withKey(ours.key) })).status).toBe(200);
});
