import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { failureOfMistake, listCommonMistakes } from '#server/api/common-mistakes.ts';
import { failureSentence, failures } from '#server/api/failures.ts';

const company = await makeCompany();

test('every common mistake gets the sentence that the documentation shows, in both languages', async () => {
  const key = await company.newKey();
  const other = await company.newKey();
  for (const [index, mistake] of listCommonMistakes(key).entries()) {
    const { method, search, headers, body } = mistake.request;
    const failure = await failureOfMistake(mistake);
    const keyed = index % 2 === 0 ? headers : asHeadersOf(other, headers, key);
    for (const language of ['en', 'id'] as const) {
      const answer = await ask(search, {
        method,
        headers: { ...keyed, 'Accept-Language': language },
        ...(method === 'POST' ? { body: body as BodyInit } : {}),
      });
      const { code, field } = failure;
      expect([mistake.name, answer.status]).toEqual([mistake.name, failures[code].status]);
      expect(answer.json).toEqual({ ok: false, error: failureSentence(failure, language), code, field });
    }
  }
});

const asHeadersOf = (other: string, headers: Record<string, string>, key: string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(key, other)]));

test('a sentence never repeats a key, a whole long value, or a text of the notification', async () => {
  const key = await company.newKey();
  const inSentence = async (body: unknown) => String((await sendJson(key, body)).json.error);
  expect(await inSentence({ ...good, user_id: key })).not.toContain(key.slice(4, 20));
  expect(await inSentence({ [key]: 1 })).not.toContain(key.slice(4, 20));
  expect((await inSentence({ ...good, user_id: 'x'.repeat(60_000) })).length).toBeLessThan(400);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`name-${index}`.repeat(20), 1]));
  expect((await inSentence(many)).length).toBeLessThan(700);
  expect(await inSentence({ judul: 'Rahasia'.repeat(40), isi: 'b' })).not.toContain('Rahasia');
  expect(await inSentence({ judul: ['Rahasia'], isi: 'b' })).not.toContain('Rahasia');
  expect(await inSentence('{"judul": "Rahasia, "isi": "b"}')).not.toContain('Rahasia');
  expect(await inSentence({ ...good, url: 'https://x.test/?token=Rahasia' })).not.toContain('Rahasia');
  const { json } = await ask(`?aksi=${key}`, { headers: withKey(key) });
  expect(json).toMatchObject({ code: 'aksi_unknown' });
  expect(json.error).not.toContain(key.slice(4, 20));
});

test('a sentence about odd field names can be stored and shown', async () => {
  const key = await company.newKey();
  const odd = ['\u0000', '\u202e', '{came}', '{field}', '[{names}]', '__proto__', '$&', '\ud800', 'null', 'number'];
  for (const name of odd) {
    const written = JSON.stringify({ [name]: 1 });
    const { status, json } = await sendJson(key, written);
    expect([name, status, json.code]).toEqual([name, 400, 'field_missing']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(json.error).not.toMatch(/[\u0000-\u001f\u202e]|\\ud800/);
  }
});
