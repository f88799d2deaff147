import type { Language } from '#platform/language.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import { exampleTexts } from '#server/api/document/openapi-examples.ts';
import { notifPath } from '#server/api/procedure.ts';
import { apiTexts } from '#server/service-texts.ts';

type Parameter = { name: string; examples?: Record<string, { summary: string; value: string }> };

/**
 * Makes a Postman collection (format v2.1) from the examples of the document: the converter of Postman has 40 MB of
 * packages and makes one request for each operation. While `user_id` and `everyone` are empty, a run reaches nobody.
 */
export function makePostmanCollection(baseUrl: string, language: Language) {
  const { info, paths } = makeOpenApiDocument(baseUrl, language);
  const { get, post } = paths[notifPath] ?? {};
  const texts = apiTexts[language].collection;
  const reads = ((get?.parameters ?? []) as Parameter[]).flatMap(({ name: key, examples = {} }) =>
    Object.values(examples).map(({ summary, value }) =>
      makeItem(summary, { method: 'GET', query: [{ key, value }] }, get?.description),
    ),
  );
  const sends = Object.entries(post?.requestBody?.content ?? {}).flatMap(([contentType, { examples = {} }]) =>
    Object.values(examples).map(({ summary, value }) =>
      makeSend(summary, contentType, { ...value, user_id: '{{user_id}}' }, post?.description),
    ),
  );
  const fields = { ...exampleTexts, user_id: '{{everyone}}' };
  const toEveryone = makeSend(texts.toEveryone, 'application/json', fields, post?.description);
  return {
    info: {
      name: String(info.title),
      description: String(info.description),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'apikey', apikey: asFields({ key: 'X-API-Key', value: '{{key}}', in: 'header' }) },
    variable: [
      { key: 'base_url', value: baseUrl },
      { key: 'key', value: '' },
      { key: 'user_id', value: '', description: texts.recipient },
      { key: 'everyone', value: '', description: texts.everyone },
    ],
    item: [...reads, ...sends, { name: texts.folder, description: texts.everyone, item: [toEveryone] }],
  };
}

type Field = { key: string; value: string; disabled?: true };

const asFields = (values: Record<string, unknown>): Field[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: String(value) }));

type Request = { method: string; query?: Field[]; header?: Field[]; body?: ReturnType<typeof makeBody> };

function makeItem(name: string, { method, query = [], header = [], body }: Request, description = '') {
  const search = query.map(({ key, value }) => `?${key}=${value}`).join('');
  const path = notifPath.slice(1).split('/');
  const url = { raw: `{{base_url}}${notifPath}${search}`, host: ['{{base_url}}'], path, query };
  return { name, event: [expectAnswer], request: { method, header, url, body, description } };
}

function makeSend(summary: string, contentType: string, fields: Record<string, unknown>, description?: string) {
  const header: Field[] = [
    { key: 'Content-Type', value: contentType },
    { key: 'Idempotency-Key', value: '{{$guid}}', disabled: true },
  ];
  const body = makeBody(contentType, fields);
  return makeItem(`${summary} (${contentType})`, { method: 'POST', header, body }, description);
}

function makeBody(contentType: string, fields: Record<string, unknown>) {
  if (contentType === 'application/json')
    return { mode: 'raw' as const, raw: JSON.stringify(fields, null, 2), options: { raw: { language: 'json' } } };
  return { mode: 'urlencoded' as const, urlencoded: asFields(fields) };
}

// While its variable is empty, a send is refused. Bruno hides the variables from scripts.
const expectAnswer = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      "const isEmpty = pm.response.json().code === 'user_id_empty';",
      "pm.test(isEmpty ? 'nothing sent' : 'status 200', () => pm.expect(pm.response.code).to.equal(isEmpty ? 400 : 200));",
    ],
  },
};
