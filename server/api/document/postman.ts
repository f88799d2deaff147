import type { Language } from '#platform/language.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import { type ExampleRequest, listExampleRequests } from '#server/api/document/openapi-examples.ts';
import { apiTexts } from '#server/service-texts.ts';

type Field = { key: string; value: string; disabled?: true };

/**
 * Makes a Postman collection (format v2.1) from the examples of the document: the converter of Postman has 40 MB of
 * packages and makes one request for each operation. While `user_id` and `everyone` are empty, a run reaches nobody.
 */
export function makePostmanCollection(baseUrl: string, language: Language) {
  const document = makeOpenApiDocument(baseUrl, language);
  const { info } = document;
  const items = listExampleRequests(document, language).map(makeItem);
  const texts = apiTexts[language].collection;
  return {
    info: {
      name: String(info.title),
      description: String(info.description),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: Object.entries({ key: 'X-API-Key', value: '{{key}}', in: 'header' }).map(([key, value]) => ({
        key,
        value,
      })),
    },
    variable: [
      { key: 'base_url', value: baseUrl },
      { key: 'key', value: '' },
      { key: 'user_id', value: '', description: texts.recipient },
      { key: 'everyone', value: '', description: texts.everyone },
    ],
    item: [...items.slice(0, -1), { name: texts.folder, description: texts.everyone, item: items.slice(-1) }],
  };
}

function makeItem({ summary, method, path, query, contentType, fields, description }: ExampleRequest) {
  const search = query.map(({ key, value }) => `${key}=${value}`).join('&');
  const raw = `{{base_url}}${path}${search && `?${search}`}`;
  const url = { raw, host: ['{{base_url}}'], path: path.slice(1).split('/'), query };
  if (!fields) return { name: summary, event: [expectAnswer], request: { method, header: [], url, description } };
  const variable = 'user_id' in fields ? 'user_id' : 'everyone';
  const body = makeBody(contentType, { ...fields, user_id: `{{${variable}}}` });
  const header: Field[] = [
    { key: 'Content-Type', value: contentType },
    { key: 'Idempotency-Key', value: '{{$guid}}', disabled: true },
  ];
  const name = `${summary} (${contentType})`;
  return { name, event: [expectAnswer], request: { method, header, url, body, description } };
}

function makeBody(contentType: string, fields: Record<string, unknown>) {
  if (contentType === 'application/json')
    return { mode: 'raw' as const, raw: JSON.stringify(fields, null, 2), options: { raw: { language: 'json' } } };
  return {
    mode: 'urlencoded' as const,
    urlencoded: Object.entries(fields).map(([key, value]) => ({ key, value: String(value) })),
  };
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
