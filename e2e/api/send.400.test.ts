import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { github, webhooks, wooCommerce } from '#e2e/support/data/webhooks.ts';
import { ask, good, sendForm, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { languages } from '#platform/language.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

// The table of refused bodies and fields: server/api/input.test.ts. Each code: document.test.ts.

const company = await makeCompany();

test('the sentence about a long text gives the limit and the counted characters (F2)', async () => {
  const key = await company.newKey();
  const title = await sendJson(key, { ...good, judul: '\u{1F600}'.repeat(draftLimits.title + 1) });
  expect(title.json.error).toContain(`at most ${draftLimits.title} characters; it has ${draftLimits.title + 1}`);
  const body = await sendJson(key, { ...good, isi: 'x'.repeat(300) });
  expect(body.json.error).toContain(`at most ${draftLimits.body} characters; it has 300`);
});

test.each([
  ['judul=100%&isi=b', 'near character 10: a percent sign', 'di sekitar karakter ke-10: tanda persen'],
  ['judul=Caf%C3&isi=b', 'near character 10: a letter is cut', 'satu huruf terpotong'],
  ['judul=Caf%E9&isi=b', 'near character 10: a letter is not encoded', 'mungkin sebagai Latin-1'],
  ['judul=a&isi=%F0%9F%98', 'near character 13: a letter is cut', 'satu huruf terpotong'],
  ['judul=%E9t%E9&isi=b', 'near character 7: a letter is not encoded', 'mungkin sebagai Latin-1'],
  ['%EF%BB%BFjudul=a&isi=b', '(BOM) stands before "judul"', '(BOM) di depan "judul"'],
])('a sentence about a form says what is wrong with it: %s', async (body, en, id) => {
  const key = await company.newKey();
  const headers = { ...withKey(key), 'Content-Type': 'application/x-www-form-urlencoded' };
  const inLanguage = async (language: string) =>
    (await ask('', { method: 'POST', body, headers: { ...headers, 'Accept-Language': language } })).json.error;
  expect([await inLanguage('en'), await inLanguage('id')]).toEqual([
    expect.stringContaining(en),
    expect.stringContaining(id),
  ]);
});

test('the sentences name a BOM before a JSON field, and Content-Length where the body is empty', async () => {
  const key = await company.newKey();
  const { json } = await sendJson(key, { '\uFEFFjudul': 'a', isi: 'b' });
  expect(json.error).toContain('(BOM) stands before "judul"');
  expect((await sendJson(key, '')).json).toMatchObject({
    code: 'body_empty',
    error: expect.stringContaining('Content-Length'),
  });
});

test('of several wrong fields the first in the order of the document is named', async () => {
  const { json } = await sendJson(await company.newKey(), { judul: '', isi: 5, user_id: 1.5, url: '//x' });
  expect(json).toMatchObject({ code: 'field_blank', field: 'judul' });
});

test('errors are in English, or in Indonesian when Accept-Language prefers it', async () => {
  const key = await company.newKey();
  const inLanguage = async (language: string) =>
    (await sendJson(key, { isi: 'b' }, { 'Accept-Language': language })).json;
  expect(await inLanguage('id-ID,id;q=0.9,en;q=0.8')).toMatchObject({
    error:
      'Kolom "judul" wajib diisi; kolom yang datang: "isi". Nama kolom memakai huruf kecil, persis seperti tertulis di sini.',
    code: 'field_missing',
  });
  for (const language of ['en', 'en;q=0.9,id;q=0.5', 'fr', '', '*', ';;;q=x'])
    expect(await inLanguage(language), language).toMatchObject({
      error:
        'The field "judul" is required; the fields that came are "isi". Names are in lower case and as written here.',
      code: 'field_missing',
    });
});

test('a wrong field is named before a foreign recipient, and a missing key before a broken body', async () => {
  const { status, json } = await sendJson(await company.newKey(), { judul: '', isi: 'b', user_id: 2_000_000_000 });
  expect([status, json.field]).toEqual([400, 'judul']);
  const headers = { 'Content-Type': 'application/json' };
  expect((await ask('?aksi=nope', { method: 'POST', headers, body: '{' })).status).toBe(401);
});

test('Link names the document, the documentation, and the help for a failure', async () => {
  const key = await company.newKey();
  const link = '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"';
  expect((await ask('?aksi=ping', { headers: withKey(key) })).headers.get('link')).toBe(link);
  const failed = await sendJson(key, { ...good, user_id: null });
  expect(failed.headers.get('link')).toBe(`${link}, </docs/errors#user_id_empty>; rel="help"`);
});

test('a sentence never repeats a key, a whole long value, or a text of the notification', async () => {
  const key = await company.newKey();
  const inSentence = async (body: unknown) => String((await sendJson(key, body)).json.error);
  const secret = key.slice(4, 20);
  for (const body of [{ ...good, user_id: key }, { [key]: 1 }]) expect(await inSentence(body)).not.toContain(secret);
  expect((await inSentence({ ...good, user_id: 'x'.repeat(60_000) })).length).toBeLessThan(400);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`name-${index}`.repeat(20), 1]));
  expect((await inSentence(many)).length).toBeLessThan(700);
  for (const body of [
    { judul: 'Rahasia'.repeat(40), isi: 'b' },
    { judul: ['Rahasia'], isi: 'b' },
    '{"judul": "Rahasia, "isi": "b"}',
    { ...good, url: 'https://x.test/?token=Rahasia' },
  ])
    expect(await inSentence(body)).not.toContain('Rahasia');
  const { json } = await ask(`?aksi=${key}`, { headers: withKey(key) });
  expect(json.code).toBe('aksi_unknown');
  expect(json.error).not.toContain(secret);
});

test('a text that came instead of a form is neither in the answer nor among the failed requests', async () => {
  const { owner, newKey } = await makeCompany();
  const key = await newKey();
  const texts = ['Gaji Budi Rp 5.250.000 sudah ditransfer', 'Gaji Budi = 5 juta & bonus', 'judul=Lembur & Gaji Budi'];
  for (const text of texts)
    expect((await sendForm(key, text)).json).toMatchObject({
      code: 'field_missing',
      error: expect.not.stringMatching(/Gaji|Budi/),
    });
  expect((await sendForm(key, texts[0] ?? '')).json.error).toContain('is no form');
  const stored = () => sql()`select * from refusals where company_id = ${owner.companyId}`;
  await expect.poll(async () => (await stored()).length).toBe(texts.length + 1);
  expect(JSON.stringify(await stored())).not.toMatch(/Gaji|Budi/);
});

test('a sentence about odd field names can be stored and shown', async () => {
  const key = await company.newKey();
  const odd = ['\u0000', '\u202e', '{received}', '{field}', '[{names}]', '__proto__', '$&', '\ud800', 'null', 'number'];
  for (const name of odd) {
    const { status, json } = await sendJson(key, JSON.stringify({ [name]: 1 }));
    expect([name, status, json.code]).toEqual([name, 400, 'field_missing']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(json.error).not.toMatch(/[\u0000-\u001f\u202e]|\\ud800/);
  }
});

const webhookKey = await company.newKey();
const names = { alertmanager: 'Alertmanager', grafana: 'Grafana', 'uptime-kuma': 'Uptime Kuma' };
const nameOf: Record<string, string> = { ...names, github: 'GitHub', woocommerce: 'WooCommerce' };
const recipe = '/docs/recipes/webhooks';

test.each(webhooks)('the body of $source is 400 as before, and the sentence names its recipe', async (webhook) => {
  for (const language of languages) {
    const { status, json } = await sendJson(webhookKey, webhook.body, { 'Accept-Language': language });
    expect({ status, ...json }).toMatchObject({ status: 400, ok: false, code: 'field_missing', field: 'judul' });
    expect(json.error).toContain(`${nameOf[webhook.source]}, `);
    expect(json.error).toContain(recipe);
  }
});

test.each([
  ['GitHub', 'payload=%7B%7D'],
  ['WooCommerce', 'webhook_id=3'],
])('the form that %s sends is recognised too', async (name, body) => {
  const form = { 'X-API-Key': webhookKey, 'Content-Type': 'application/x-www-form-urlencoded' };
  const { json } = await ask('', { method: 'POST', headers: form, body });
  expect(json).toMatchObject({ code: 'field_missing', field: 'judul' });
  expect(json.error).toContain(name);
  expect(json.error).toContain(recipe);
});

test('a body of another shape, and a misspelt field, get the sentence without the recipe', async () => {
  for (const body of [
    {},
    { title: 'a', message: 'b' },
    { alerts: [], receiver: 'x' },
    { payload: {}, isi: 'b' },
    { msg: 'a' },
    { repository: 'a' },
  ]) {
    const { json } = await sendJson(webhookKey, body);
    expect(json).toMatchObject({ code: 'field_missing', field: 'judul' });
    expect(json.error).not.toContain(recipe);
  }
});

test('a whole notification beside the fields of a webhook is sent; a wrong field comes first', async () => {
  const { employeeId } = await company.hire();
  const body = { ...github.body, judul: 'a', isi: 'b', user_id: employeeId };
  expect((await sendJson(webhookKey, body)).json).toEqual({ ok: true, terkirim: 1 });
  expect((await sendJson(webhookKey, { ...body, user_id: null })).json.code).toBe('user_id_empty');
  expect((await sendJson(webhookKey, { ...body, judul: '' })).json.error).not.toContain(recipe);
});

test('GitHub and WooCommerce cannot send a key: the 401 names the recipe, for them only', async () => {
  for (const { source, headers, body } of [github, wooCommerce]) {
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
    const { status, json } = await ask('', { ...init, body: JSON.stringify(body) });
    expect({ status, ...json }).toMatchObject({ status: 401, ok: false, code: 'key_missing' });
    expect(json.error).toContain(nameOf[source]);
    expect(json.error).toContain(recipe);
  }
  const { json } = await ask('', { method: 'POST', body: '{}' });
  expect(json.code).toBe('key_missing');
  expect(json.error).not.toContain(recipe);
});
