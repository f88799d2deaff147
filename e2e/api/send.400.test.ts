import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { good, sendJson } from '#e2e/support/http/interface.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

// The table of refused bodies and fields: e2e/transport/input. Each code: examples.test.ts.

const company = await makeCompany();

test('a body of 20 MB is refused (B10)', async () => {
  const { status, json } = await sendJson(await company.newKey(), 'x'.repeat(20_000_000));
  expect([status, json.code]).toEqual([400, 'body_too_large']);
});

test('the sentence about a long text gives the limit and the counted characters (F2)', async () => {
  const key = await company.newKey();
  const title = await sendJson(key, { ...good, judul: '\u{1F600}'.repeat(draftLimits.title + 1) });
  expect(title.json.error).toContain(`at most ${draftLimits.title} characters; it has ${draftLimits.title + 1}`);
  const body = await sendJson(key, { ...good, isi: 'x'.repeat(300) });
  expect(body.json.error).toContain(`at most ${draftLimits.body} characters; it has 300`);
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
