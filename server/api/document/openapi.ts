import { generateOpenApiDocument } from 'trpc-to-openapi';
import { z } from 'zod';
import { env } from '#platform/config/settings.ts';
import type { Language } from '#platform/language.ts';
import { requestedLanguage } from '#platform/net/choose-language.ts';
import {
  answerExamples,
  bodyExamples,
  type Example,
  exampleFailure,
  readExamples,
} from '#server/api/document/openapi-examples.ts';
import { type FailureCode, type FailureStatus, failureBody, failures } from '#server/api/failures.ts';
import { router } from '#server/api/handle.ts';
import { documentedOk, notifPath, unstated } from '#server/api/procedure.ts';
import { ReadAnswer } from '#server/api/read.ts';
import { SendAnswer } from '#server/api/send.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';
import { apiTexts, fillIn } from '#server/service-texts.ts';

// An operation of the document, with the parts that this code reads.
type Operation = {
  operationId: string;
  description?: string;
  security?: object[];
  parameters?: object[];
  requestBody?: { required: boolean; content: Record<string, { schema: object; examples?: Record<string, Example> }> };
  responses: Record<string, object>;
};

/** The document, with the parts that this code reads. */
export type Document = {
  openapi: string;
  info: { version: string; [name: string]: unknown };
  externalDocs?: object;
  tags: object[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: object;
    schemas: Record<string, object>;
    headers?: Record<string, object>;
    responses?: Record<string, object>;
  };
};

// Descriptions and summaries are names of texts below `document` in `messages/*/api.json`. A paragraph is one text.
const guide = ['purpose', 'key', 'limit', 'errors', 'retry', 'quickStart'].join('\n\n');

// `code` is not an enum, because new codes may be added.
const FailureAnswer = z
  .object({
    ok: documentedOk(false),
    error: z.string().meta({ description: 'sentence' }),
    code: z.string().meta({ description: 'code', examples: ['field_missing'] }),
    field: z.optional(z.string()).meta({ description: 'field', examples: ['judul'] }),
  })
  .meta({ id: 'Failure', description: 'failure', override: unstated });

/** Makes the OpenAPI 3.1 document from the router. `baseUrl` is the origin that serves it. */
export function makeOpenApiDocument(baseUrl: string, language: Language = 'en'): Document {
  const generated: unknown = generateOpenApiDocument(router, {
    title: 'Staff Notification API',
    description: guide,
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl,
    tags: ['Notifications'],
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'bearerKey' },
      // Generated Lua sends the scheme's name as the header.
      'X-API-Key': { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'bareKey' },
    },
    defs: { Failure: FailureAnswer, ReadAnswer, SendAnswer },
  });
  const document = structuredClone(generated) as Document;
  const license = { name: 'Proprietary', url: `${baseUrl}/docs` };
  const contact = { name: 'Troubleshooting', url: `${baseUrl}/docs/troubleshooting` };
  document.info = { ...document.info, contact, license };
  document.externalDocs = { description: 'documentation', url: `${baseUrl}/docs` };
  document.tags = [{ name: 'Notifications', description: 'everything', 'x-displayName': 'notifications' }];
  document.components.headers = Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [name, { description: name, ...header }]),
  );
  document.components.responses = Object.fromEntries(
    statuses.map((status) => [`Failure${status}`, failureResponse(status, language)]),
  );
  const { get, post } = document.paths[notifPath] ?? {};
  if (!get || !post) throw new Error('the router lacks the procedure of reads or of sends');
  for (const operation of [get, post]) complete(operation, document);
  document.paths[notifPath] = { get, head: asHead(get, document), post };
  return finishDocument(document, baseUrl, language);
}

/** The same document in OpenAPI 3.0 and JSON only, for generators that cannot read the other. */
export const makeOpenApi30Document = (baseUrl: string, language: Language = 'en'): Document => ({
  ...(asOpenApi30(makeOpenApiDocument(baseUrl, language)) as Document),
  openapi: '3.0.3',
});

// The keywords of JSON Schema that OpenAPI 3.0 writes in another way.
function asOpenApi30(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(asOpenApi30);
  if (typeof part !== 'object' || part === null) return part;
  const pairs = Object.entries(part).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'application/x-www-form-urlencoded') return [];
    if (name === 'const') return [['enum', [value]]];
    if (name === 'examples' && Array.isArray(value)) return [['example', value[0]]];
    if (name === 'type' && Array.isArray(value))
      return [
        [name, value[0]],
        ['nullable', true],
      ];
    return [[name, asOpenApi30(value)]];
  });
  return Object.fromEntries(pairs);
}

// The answers of a HEAD: as those of the GET, without a body.
function asHead(get: Operation, { components }: Document): Operation {
  const responses = Object.entries(get.responses).map(([status, response]) => {
    const { description, headers } = (components.responses?.[`Failure${status}`] ?? response) as Record<string, object>;
    return [status, { description, headers }];
  });
  return { ...get, operationId: 'readHead', responses: Object.fromEntries(responses) };
}

const required = (schema: object, example?: unknown) => ({ required: true, schema, example });
const text = { type: 'string' };
const upTo60 = { type: 'integer', minimum: 0, maximum: 60 };

const headers = {
  RateLimitLimit: required(upTo60, 60),
  RateLimitRemaining: required(upTo60, 59),
  RateLimitPolicy: required(text, '"minute";q=60;w=60'),
  RateLimit: { schema: { ...text, pattern: '^"minute";r=[0-9]{1,2};t=[0-9]{1,2}$' }, example: '"minute";r=59;t=60' },
  Link: required(text, '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"'),
  RequestId: required({ ...text, format: 'uuid' }),
  IdempotentReplayed: { schema: { ...text, enum: ['true'] } },
  RetryAfter: required({ type: 'integer' }, 60),
  Allow: required(text, 'GET, HEAD, POST'),
  WwwAuthenticate: required(text, 'Bearer'),
  CacheControl: required({ ...text, const: 'no-store' }),
  ContentTypeOptions: required({ ...text, const: 'nosniff' }),
};

const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });
const common = {
  'X-RateLimit-Limit': headerRef('RateLimitLimit'),
  'X-RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
  RateLimit: headerRef('RateLimit'),
  'X-Request-Id': headerRef('RequestId'),
  Link: headerRef('Link'),
};
const last = { 'Cache-Control': headerRef('CacheControl'), 'X-Content-Type-Options': headerRef('ContentTypeOptions') };

const statuses = [400, 401, 404, 405, 429, 500, 503] satisfies FailureStatus[];

const extraHeaders: Partial<Record<FailureStatus, object>> = {
  401: { 'WWW-Authenticate': headerRef('WwwAuthenticate') },
  405: { Allow: headerRef('Allow') },
  429: { 'Retry-After': headerRef('RetryAfter') },
  503: { 'Retry-After': headerRef('RetryAfter') },
};

function failureResponse(status: FailureStatus, language: Language): object {
  const codes = (Object.keys(failures) as FailureCode[]).filter(
    (code) => failures[code].status === status && code !== 'address_unknown',
  );
  const exampleOf = (code: FailureCode) => JSON.parse(failureBody(exampleFailure(code), language));
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
  return {
    description: `status${status}`,
    headers: { ...common, ...extraHeaders[status], ...last },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples } },
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'idempotencyKey',
  // Without an example: programs that import the document would send it each time.
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

const acceptLanguage = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description: 'acceptLanguage',
  schema: { type: 'string' },
  example: 'id',
};

function complete(operation: Operation, document: Document): void {
  const { operationId } = operation;
  const sends = operationId === 'send';
  const parameters = (operation.parameters ?? []).map((parameter) => ({ ...parameter, examples: readExamples }));
  operation.parameters = [...parameters, ...(sends ? [idempotencyKey] : []), acceptLanguage];
  const replayed = sends ? { 'Idempotent-Replayed': headerRef('IdempotentReplayed') } : {};
  const success = operation.responses['200'] as { content: Record<string, { schema: object }> };
  const examples = answerExamples[operationId];
  const answers = Object.entries(success.content).map(([type, { schema }]) => [type, { schema, examples }]);
  const content = Object.fromEntries(answers);
  operation.responses = {
    200: { description: `${operationId}Success`, headers: { ...common, ...replayed, ...last }, content },
  };
  for (const status of statuses)
    if (sends || status !== 404) operation.responses[status] = { $ref: `#/components/responses/Failure${status}` };
  for (const body of Object.values(operation.requestBody?.content ?? {})) {
    // One schema for all content types. With one of its own for a form, openapi-generator leaves out
    // the class but imports it in Java and Kotlin, and orval sends no Content-Type.
    document.components.schemas.Notification = body.schema;
    body.schema = { $ref: '#/components/schemas/Notification' };
    body.examples = bodyExamples;
  }
}

// Sorts the components of a document, and replaces the names of its texts by the texts in one language.
function finishDocument(document: Document, baseUrl: string, language: Language): Document {
  for (const [kind, part] of Object.entries(document.components))
    Object.assign(document.components, { [kind]: sort(part) });
  const texts = listDocumentTexts(baseUrl, language);
  return translate(document, (name) => texts[name] ?? name);
}

const valuesOfTexts = {
  titleLimit: draftLimits.title,
  bodyLimit: draftLimits.body,
  kinds: kinds.map((kind) => `\`${kind}\``).join(', '),
};

/** The texts of the document by name, with the address of the service and the limits filled in. */
export function listDocumentTexts(base: string, language: Language): Record<string, string> {
  const texts = Object.entries(apiTexts[language].document);
  return Object.fromEntries(texts.map(([name, text]) => [name, fillIn(text, { ...valuesOfTexts, base })]));
}

/** Copies a document, with its descriptions and summaries translated paragraph by paragraph. */
export function translate<T>(part: T, translateText: (paragraph: string) => string): T {
  if (Array.isArray(part)) return part.map((item) => translate(item, translateText)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const translateAll = (text: string) => text.split('\n\n').map(translateText).join('\n\n');
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      translatedNames.has(name) && typeof value === 'string' ? translateAll(value) : translate(value, translateText),
    ]),
  ) as T;
}

const translatedNames = new Set(['description', 'summary', 'x-displayName']);

const sort = (components: object) =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The route of a document, made once for each language: it takes 60 ms. */
export function routeOf(make: (baseUrl: string, language: Language) => object, headers: Record<string, string>) {
  const texts = new Map<Language, string>();
  return (request: Request): Response => {
    const language = requestedLanguage(request);
    const text = texts.get(language) ?? JSON.stringify(make(env().APP_URL, language));
    texts.set(language, text);
    return new Response(text, {
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'public, max-age=300',
        'Content-Language': language,
        Vary: 'Accept-Language',
        ...headers,
      },
    });
  };
}

/** Lets editors on other sites load a document. It is public, and no other address allows this. */
export const fromAnySite = { 'Access-Control-Allow-Origin': '*' };
