import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { github, webhooks, wooCommerce } from '#e2e/support/data/webhooks.ts';
import { ask, sendJson } from '#e2e/support/http/interface.ts';
import { languages } from '#platform/language.ts';

const company = await makeCompany();
const key = await company.newKey();
const names = { alertmanager: 'Alertmanager', grafana: 'Grafana', 'uptime-kuma': 'Uptime Kuma' };
const nameOf: Record<string, string> = { ...names, github: 'GitHub', woocommerce: 'WooCommerce' };
const recipe = '/docs/recipes/webhooks';

test.each(webhooks)('the body of $source is 400 as before, and the sentence names its recipe', async (webhook) => {
  for (const language of languages) {
    const { status, json } = await sendJson(key, webhook.body, { 'Accept-Language': language });
    expect({ status, ...json }).toMatchObject({ status: 400, ok: false, code: 'field_missing', field: 'judul' });
    expect(json.error).toContain(`${nameOf[webhook.source]}, `);
    expect(json.error).toContain(recipe);
  }
});

test.each([
  ['GitHub', 'payload=%7B%7D'],
  ['WooCommerce', 'webhook_id=3'],
])('the form that %s sends is recognised too', async (name, body) => {
  const form = { 'X-API-Key': key, 'Content-Type': 'application/x-www-form-urlencoded' };
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
    const { json } = await sendJson(key, body);
    expect(json).toMatchObject({ code: 'field_missing', field: 'judul' });
    expect(json.error).not.toContain(recipe);
  }
});

test('a whole notification beside the fields of a webhook is sent; a wrong field comes first', async () => {
  const { employeeId } = await company.hire();
  const body = { ...github.body, judul: 'a', isi: 'b', user_id: employeeId };
  expect((await sendJson(key, body)).json).toEqual({ ok: true, terkirim: 1 });
  expect((await sendJson(key, { ...body, user_id: null })).json.code).toBe('user_id_empty');
  expect((await sendJson(key, { ...body, judul: '' })).json.error).not.toContain(recipe);
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
