import { expect, test } from 'vitest';
import { good, sendJson } from '#e2e/fixtures/interface.ts';
import { innerPaths } from '#e2e/fixtures/paths.ts';
import { makeCompany } from '#harness/company.ts';
import { listInbox, listInboxSince } from '#server/inbox/inbox.ts';

const accepted = [...innerPaths, `/${'a'.repeat(2047)}`];

test('L2, L9: an internal path of up to 2,048 characters is stored as it came', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  for (const url of accepted) expect((await sendJson(key, { ...good, url })).status, url).toBe(200);
  const items = await listInboxSince(employee, 0);
  expect(items.map(({ url }) => url)).toEqual(accepted);
});

test('L1: a missing url, or null, is none', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  await sendJson(key, good);
  await sendJson(key, { ...good, url: null });
  expect((await listInbox(employee)).items.map(({ url }) => url)).toEqual([null, null]);
});
