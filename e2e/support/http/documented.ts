import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { noteSeen } from '#e2e/support/service/secrets.ts';
import type { Language } from '#platform/language.ts';
import type { Document } from '#server/api/document/openapi.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';

export type Received = { status: number; headers: Headers; text: string };

type Header = { required?: boolean; schema: { type?: string } };
type Reference = { $ref: string };
type Response = {
  headers: Record<string, Header | Reference>;
  content: { 'application/json': { schema: object; examples: Record<string, unknown> } };
};
type Contract = { document: Document; validate: (pointer: string, value: unknown) => string[] };

const notifPath = '/api/v1/notif.php';
const documentId = 'https://document.invalid/';

// Headers for browsers, which the public interface does not send.
const ofOtherAddresses =
  /^(content-security-policy|cross-origin-(opener|resource)-policy|permissions-policy|referrer-policy|x-frame-options)$/;

// Headers that HTTP servers add. Every other header must be in the document.
const ofTransport =
  /^(connection|content-encoding|content-length|content-type|date|keep-alive|transfer-encoding|vary)$/;

let contract: Contract | undefined;

/** Throws where a response differs from the OpenAPI document. `method` is null for what was not HTTP. */
export async function holdToDocument(method: string | null, answer: Received): Promise<void> {
  contract ??= compileContract();
  const wrong = findDeviations(contract, method, answer);
  if (wrong.length > 0)
    throw new Error(
      `${method} ${answer.status} is not as documented:\n${wrong.join('\n')}\n${answer.text.slice(0, 500)}`,
    );
}

/** Makes `fetch` check every response of the public interface against the document. */
export function watchFetch(): void {
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await plain(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (response.status >= 400) noteSeen('errors', await response.clone().text());
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    if (pathname === notifPath) {
      const { status, headers } = response;
      await holdToDocument(method, { status, headers, text: await response.clone().text() });
    }
    return response;
  };
}

// e2e/api/document.test.ts proves that every service serves this document.
function compileContract(): Contract {
  const document = JSON.parse(JSON.stringify(makeOpenApiDocument('http://service.test'))) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...closeAnswers(document), $id: documentId });
  const compiled = new Map<string, ValidateFunction>();
  return {
    document,
    validate: (pointer, value) => {
      const check = compiled.get(pointer) ?? ajv.compile({ $ref: `${documentId}#${pointer}` });
      compiled.set(pointer, check);
      return check(value) ? [] : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    },
  };
}

// The document allows further fields, for clients. In tests a field that it does not name fails.
function closeAnswers(document: Document): Document {
  const closed = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    { ...schema, additionalProperties: false },
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(closed) } };
}

function findDeviations(contract: Contract, method: string | null, { status, headers, text }: Received): string[] {
  const pointer = findResponse(contract.document, method, status, text);
  if (pointer === null) return ['this status'];
  const response = find(contract.document, pointer) as Response;
  const isElsewhere = status === 404 && text.includes('"address_unknown"');
  const held = isElsewhere ? new Headers([...headers].filter(([name]) => !ofOtherAddresses.test(name))) : headers;
  const wrong = findWrongHeaders(contract, response, pointer, held).filter(
    (one) => !(isElsewhere && one === 'the header X-RateLimit-Remaining is missing'),
  );
  if (headers.get('content-type') !== 'application/json; charset=utf-8') wrong.push('the content type');
  if (method === 'HEAD') return text === '' ? wrong : [...wrong, 'a body after HEAD'];
  const json = asJson(text);
  wrong.push(...contract.validate(`${pointer}/content/application~1json/schema`, json));
  const { ok, code } = (json ?? {}) as { ok?: boolean; code?: string };
  if (ok !== (status === 200)) wrong.push('the value of ok');
  const known = status === 200 || code === 'address_unknown' || code === undefined;
  return known || code in response.content['application/json'].examples ? wrong : [...wrong, `the code ${code}`];
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A method without an operation is answered like GET, but never with 200.
function findResponse(document: Document, method: string | null, status: number, text: string): string | null {
  if (status === 404 && text.includes('"address_unknown"')) return '/components/responses/Failure404';
  const operation = method === 'POST' ? 'post' : 'get';
  if (method !== 'POST' && method !== 'GET' && method !== 'HEAD' && status === 200) return null;
  const response = document.paths[notifPath]?.[operation]?.responses[status] as Partial<Reference> | undefined;
  if (!response) return null;
  return response.$ref?.slice(1) ?? `/paths/${notifPath.replaceAll('/', '~1')}/${operation}/responses/${status}`;
}

function find(document: object, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  const step = (part: unknown, name: string) => (part as Record<string, unknown>)[name.replaceAll('~1', '/')];
  return names.reduce<unknown>(step, document);
}

function findWrongHeaders(contract: Contract, response: Response, pointer: string, headers: Headers): string[] {
  const documented = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
  const others = [...headers.keys()].filter((name) => !documented.has(name) && !ofTransport.test(name));
  const wrong = others.map((name) => `the header ${name} is not in it`);
  for (const [name, written] of Object.entries(response.headers)) {
    const at = '$ref' in written ? written.$ref.slice(1) : `${pointer}/headers/${name}`;
    const header = find(contract.document, at) as Header;
    const value = headers.get(name);
    if (value === null && header.required) wrong.push(`the header ${name} is missing`);
    if (value !== null)
      wrong.push(
        ...contract.validate(`${at}/schema`, asDeclared(value, header)).map((why) => `the header ${name}${why}`),
      );
  }
  return wrong;
}

// A header that is declared as an integer must be written as one.
const asDeclared = (value: string, { schema }: Header) =>
  schema.type === 'integer' && /^(0|-?[1-9][0-9]*)$/.test(value) ? Number(value) : value;

export type Examples = Record<string, { value: unknown }>;

export async function readDocument(language: Language = 'en'): Promise<Document> {
  const answer = await fetch(`${process.env.SERVICE_URL}/api/v1/openapi.json?lang=${language}`);
  return (await answer.json()) as Document;
}

/** Reads the example bodies of all responses other than 200, by code. */
export async function readFailureExamples(language: Language = 'en'): Promise<Record<string, unknown>> {
  const { components } = await readDocument(language);
  const answers = Object.values(components.responses ?? {}) as { content: Record<string, { examples: Examples }> }[];
  return Object.fromEntries(
    answers
      .flatMap(({ content }) => Object.entries(content['application/json']?.examples ?? {}))
      .map(([code, { value }]) => [code, value]),
  );
}
