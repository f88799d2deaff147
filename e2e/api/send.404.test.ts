import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { good, sendForm, sendJson } from '#e2e/support/http/interface.ts';
import { listInbox } from '#server/inbox/inbox.ts';

test('404 is the same for a foreign id, an unknown id and one out of range (U2, U5)', async () => {
  const [ours, theirs] = [await makeCompany(), await makeCompany()];
  const stranger = await theirs.hire();
  const own = await ours.hire();
  const key = await ours.newKey();
  const ids = [
    stranger.employeeId,
    // An owner is an account and no employee; accounts are numbered apart.
    ours.owner.accountId === own.employeeId ? -2 : ours.owner.accountId,
    theirs.owner.accountId + 1_000_000,
    -1,
    2_147_483_647,
    2_147_483_648,
    2 ** 53,
    1e15,
    1e300,
    '9223372036854775808',
    '-5',
    '9'.repeat(1000),
  ];
  const texts = new Set<string>();
  for (const user_id of ids) {
    const { status, json, text } = await sendJson(key, { ...good, user_id });
    expect([user_id, status, json.code, json.field]).toEqual([user_id, 404, 'employee_not_in_company', 'user_id']);
    texts.add(text);
  }
  expect((await sendForm(key, 'judul=a&isi=b&user_id=-1')).status).toBe(404);
  expect(texts.size).toBe(1);
  expect((await listInbox(stranger)).items).toEqual([]);
});
