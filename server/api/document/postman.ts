import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import { type ExampleRequest, listExampleRequests } from '#server/api/document/openapi-examples.ts';
import type { Language } from '#server/api/failures.ts';

type Field = { key: string; value: string; type?: 'text' };
type Body =
  | { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } }
  | { mode: 'urlencoded'; urlencoded: Field[] }
  | { mode: 'formdata'; formdata: Field[] };
type Request = { method: string; header: Field[]; url: Url; body?: Body; description: string };
type Url = { raw: string; host: string[]; path: string[]; query: Field[] };
type Script = { listen: 'test'; script: { type: 'text/javascript'; exec: string[] } };

/** A request of a collection; its scripts run after its answer. */
export type PostmanItem = { name: string; event?: Script[]; request: Request };

/** A collection in Postman's format v2.1, with the parts that this code writes. */
export type PostmanCollection = {
  info: { name: string; description: string; schema: string };
  auth: { type: 'apikey'; apikey: Field[] };
  variable: Field[];
  item: PostmanItem[];
};

/**
 * Makes a Postman collection from the examples of the OpenAPI document. Written here, because
 * Postman's converter has 40 MB of packages and makes only one request for each operation. The
 * variables are `base_url`, `key`, and `user_id`, which the list of employees fills in.
 */
export function makePostmanCollection(baseUrl: string, language: Language): PostmanCollection {
  const document = makeOpenApiDocument(baseUrl, language);
  const { info } = document;
  // One send to everyone is enough, and it comes last.
  const requests = listExampleRequests(document).filter(
    ({ fields, contentType }) => !fields || 'user_id' in fields || contentType === 'application/json',
  );
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
      { key: 'user_id', value: '' },
    ],
    item: requests.map(makeItem),
  };
}

function makeItem({ summary, method, path, query, contentType, fields, description }: ExampleRequest): PostmanItem {
  const search = query.map(({ key, value }) => `${key}=${value}`).join('&');
  const raw = `{{base_url}}${path}${search && `?${search}`}`;
  const url = { raw, host: ['{{base_url}}'], path: path.slice(1).split('/'), query };
  const body = fields && makeBody(contentType, fields);
  const header = body?.mode === 'raw' ? [{ key: 'Content-Type', value: 'application/json' }] : [];
  const name = fields ? `${summary} (${contentType})` : summary;
  const item = { name, request: { method, header, url, ...(body && { body }), description } };
  return query.some(({ value }) => value === 'karyawan') ? { ...item, event: [keepFirstEmployee] } : item;
}

// The example's number could be unknown, or a real employee's. While the variable is empty, the
// request is rejected.
const asSent = (fields: Record<string, unknown>) =>
  'user_id' in fields ? { ...fields, user_id: '{{user_id}}' } : fields;

function makeBody(contentType: string, example: Record<string, unknown>): Body {
  const fields = asSent(example);
  if (contentType === 'application/json')
    return { mode: 'raw', raw: JSON.stringify(fields, null, 2), options: { raw: { language: 'json' } } };
  const pairs = Object.entries(fields).map(([key, value]): Field => ({ key, value: String(value), type: 'text' }));
  return contentType === 'multipart/form-data'
    ? { mode: 'formdata', formdata: pairs }
    : { mode: 'urlencoded', urlencoded: pairs };
}

const keepFirstEmployee: Script = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      'const [first] = pm.response.json().karyawan || [];',
      "if (first && !pm.collectionVariables.get('user_id')) pm.collectionVariables.set('user_id', String(first.user_id));",
    ],
  },
};
