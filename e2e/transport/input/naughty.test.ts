import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { naughtyTexts } from '#e2e/support/data/naughty.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { words } from '#e2e/support/data/random.ts';
import { type Answer, ask, baseUrl, sendForm, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { draftLimits, findTextProblem, isInternalPath } from '#server/notifications/field-rules.ts';

type Fields = { judul: string; isi: string; jenis: string; url?: string };

type Send = (key: string, fields: Fields) => Promise<Answer>;
const asJson: Send = (key, fields) => sendJson(key, fields);
const asForms: Send[] = [
  (key, fields) =>
    sendForm(
      key,
      Object.entries(fields)
        .map((pair) => pair.map(encodeURIComponent).join('='))
        .join('&'),
    ),
  (key, fields) => {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--=b=\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const headers = { ...withKey(key), 'Content-Type': 'multipart/form-data; boundary="=b="' };
    return ask('', { method: 'POST', headers, body: `${parts.join('')}--=b=--\r\n` });
  },
];

const fits = (text: string, limit: number) => findTextProblem(text, limit) === null;
const atOnce = 8;

async function inBatches<One>(all: One[], act: (one: One, at: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += atOnce)
    await Promise.all(all.slice(from, from + atOnce).map((one, at) => act(one, from + at)));
}

test('every naughty text is stored byte for byte as judul, isi and url (F4, F5)', async () => {
  expect(naughtyTexts.length).toBeGreaterThan(500);
  const company = await makeCompany();
  const keys: Promise<string>[] = [];
  const wanted: string[] = [];
  const calls = naughtyTexts.flatMap((text, at) => [asJson, asForms[at % 2] ?? asJson].map((send) => ({ text, send })));
  await inBatches(calls, async ({ text, send }, at) => {
    const number = Math.floor(at / 56);
    keys[number] ??= company.newKey();
    const url = [`/${text}`, text].find(isInternalPath);
    const fields = {
      judul: fits(text, draftLimits.title) ? text : 'x',
      isi: fits(text, draftLimits.body) ? text : 'x',
      jenis: text,
    };
    expect((await send(await keys[number], { ...fields, ...(url === undefined ? {} : { url }) })).status, text).toBe(
      200,
    );
    wanted.push(JSON.stringify([fields.judul, fields.isi, url ?? null]));
  });
  const stored = await sql()<{ title: string; body: string; url: string | null; kind: string }[]>`
    select title, body, url, kind from notifications where company_id = ${company.owner.companyId}`;
  expect(stored.map(({ title, body, url }) => JSON.stringify([title, body, url])).sort()).toEqual(wanted.sort());
  expect(new Set(stored.map(({ kind }) => kind))).toEqual(new Set(['info']));
});

const oddQueries = words(`
  %00 %ff %ed%a0%80 % %25 _ %5C ' %F0%9F%98%80 %E2%80%AE 1e9 -1 99999999999999999999 2026-02-31 %00&q=%00
  ${'x'.repeat(5000)}
`);
const pages: [who: 'owner' | 'employee', path: string, names: string[]][] = [
  ['owner', '/owner/employees', ['q', 'state', 'choose', 'before', 'page', 'after']],
  ['owner', '/owner/employees/csv', ['q']],
  ['owner', '/owner/sends', ['search', 'sender', 'employee', 'days', 'from', 'before']],
  ['owner', '/owner/sends/csv', ['search', 'to']],
  ['owner', '/owner/audit', ['employee', 'request', 'who', 'before', 'from']],
  ['owner', '/owner/audit/csv', ['employee', 'request', 'to']],
  ['owner', '/owner/audit/refused', ['before', 'key']],
  ['owner', '/owner/keys', ['id', 'key', 'tab']],
  ['employee', '/portal/notifications', ['search', 'kind', 'filter']],
  ['employee', '/portal/inbox', ['search', 'before', 'limit']],
  ['employee', '/portal/feed', ['after', 'tab']],
];

test('no query in the address of a page makes it fail (P2, F5)', async () => {
  const company = await makeCompany();
  const cookies = {
    owner: await openSessionOf(company.username),
    employee: await openSessionOf(await company.giveAccount(await company.hire())),
  };
  const asked = pages.flatMap(([who, path, names]) =>
    oddQueries.map((value) => ({ who, address: `${path}?${names.map((name) => `${name}=${value}`).join('&')}` })),
  );
  await inBatches(asked, async ({ who, address }) => {
    const answer = await fetch(baseUrl + address, { headers: { cookie: cookies[who] }, redirect: 'manual' });
    const text = await answer.text();
    expect([200, 400, 404, 414], `${address} ${answer.status}`).toContain(answer.status);
    expect(text, address).not.toMatch(/PostgresError|invalid byte sequence|\bat \w+ \(/);
  });
});
