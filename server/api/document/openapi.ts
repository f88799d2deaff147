import { generateOpenApiDocument } from 'trpc-to-openapi';
import { z } from 'zod';
import type { Language } from '#platform/language.ts';
import { answerExamples, bodyExamples, exampleFailure, readExamples } from '#server/api/document/openapi-examples.ts';
import { type Document, finishDocument, type Operation } from '#server/api/document/openapi-finish.ts';
import { type FailureCode, type FailureStatus, failureBody, failures } from '#server/api/failures.ts';
import { documentedOk, notifPath, unstated } from '#server/api/procedure.ts';
import { ReadAnswer } from '#server/api/read.ts';
import { router } from '#server/api/router.ts';
import { SendAnswer } from '#server/api/send.ts';

// `{base}` stands for the address that serves the document.
const guide = [
  'Send notifications to the employees of one company. They hear a sound and see a pop-up within 20 seconds wherever their portal is open, or find it at their next sign-in.',
  '**Key.** The owner of the company makes it; it is `jss_` and 64 letters and digits. Send it as `Authorization: Bearer <key>` or as `X-API-Key: <key>`: in exactly one of the two headers, never in the address. The key decides the company. It can do three things: check that it works, list the employees (id, name, role), and send.',
  '**Limit.** 60 requests a minute for each key, all operations together. `X-RateLimit-Remaining` says how many are left; what comes after the last is 429 with `Retry-After: 60` and sends nothing.',
  '**Errors.** Every answer that is not 200 has `"ok": false`, a sentence to act on (`error`), a stable `code`, and `field` where one field is at fault. Programs look at the status and the `code`, never at the sentence, and treat a code they do not know by its status. Of several faults the first is named: the body as a whole, then `judul`, `isi`, `user_id`, `jenis`, `url`. Each code has its cause and cure at {base}/docs/errors.',
  '**Retry.** 429 and 503 may be repeated after the seconds in `Retry-After`, and so may a request whose connection broke. Give all attempts of one send the same `Idempotency-Key`: then it is sent once at most. 400, 401, 404 and 405 stay the same until the request or the key is another, and 500 until the service is repaired.',
  'Quick start, recipes for many tools and answers to common questions: {base}/docs.',
].join('\n\n');

// `code` is not an enum, because new codes may be added.
const FailureAnswer = z
  .object({
    ok: documentedOk(false),
    error: z
      .string()
      .meta({ description: 'A sentence a person can act on, in English or Indonesian (`Accept-Language`).' }),
    code: z
      .string()
      .meta({ description: 'Stable code of the failure; it never changes.', examples: ['field_missing'] }),
    field: z
      .string()
      .optional()
      .meta({ description: 'The field at fault, where it is one field.', examples: ['judul'] }),
  })
  .meta({ id: 'Failure', description: 'Every answer that is not 200.', override: unstated });

/**
 * Makes the OpenAPI 3.1 document of the interface from the router. `baseUrl` is the origin that
 * serves it. The result depends on the two arguments only.
 */
export function makeOpenApiDocument(baseUrl: string, language: Language = 'en'): Document {
  const generated: unknown = generateOpenApiDocument(router, {
    title: 'Staff Notification API',
    description: guide,
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl,
    tags: ['Notifications'],
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The API key as `Authorization: Bearer <key>`.' },
      // Generated Lua sends the scheme's name as the header.
      'X-API-Key': {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description:
          'The API key alone, for hosts that strip `Authorization`. Use exactly one of the two headers, and give a generated client the key for one only: some would fill both.',
      },
    },
    defs: { Failure: FailureAnswer, ReadAnswer, SendAnswer },
  });
  const document = structuredClone(generated) as Document;
  const license = { name: 'Proprietary', url: '{base}/docs' };
  const contact = { name: 'Troubleshooting', url: '{base}/docs/troubleshooting' };
  document.info = { ...document.info, contact, license };
  document.externalDocs = { description: 'Quick start, recipes, errors and troubleshooting.', url: '{base}/docs' };
  document.tags = [
    { name: 'Notifications', description: 'Everything an API key can do.', 'x-displayName': 'Notifications' },
  ];
  document.components.headers = headers;
  const statuses = Object.keys(descriptions).map(Number) as FailureStatus[];
  document.components.responses = Object.fromEntries(
    statuses.map((status) => [`Failure${status}`, failureResponse(status, language)]),
  );
  const { get, post } = document.paths[notifPath] ?? {};
  if (!get || !post) throw new Error('the router has no read or no send');
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

const required = (description: string, schema: object, example?: unknown) => ({
  description,
  required: true,
  schema,
  example,
});
const text = { type: 'string' };
const upTo60 = { type: 'integer', minimum: 0, maximum: 60 };

const headers = {
  RateLimitLimit: required('Requests a key may make in a minute.', upTo60, 60),
  RateLimitRemaining: required('Requests left in the current minute; 0 when no valid key was sent.', upTo60, 59),
  RateLimitPolicy: required(
    'The same limit in the standard form (draft-ietf-httpapi-ratelimit-headers): `q` requests in `w` seconds.',
    text,
    '"minute";q=60;w=60',
  ),
  RateLimit: {
    description:
      'What is left of it (`r`) and in how many seconds it begins anew (`t`). Absent when no valid key was sent.',
    schema: { ...text, pattern: '^"minute";r=[0-9]{1,2};t=[0-9]{1,2}$' },
    example: '"minute";r=59;t=60',
  },
  Link: required(
    'This document (`service-desc`), its documentation (`service-doc`), and for a failure the place that explains it (`help`).',
    text,
    '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"',
  ),
  RequestId: required('Identifies this request in the audit log.', { ...text, format: 'uuid' }),
  IdempotentReplayed: {
    description: '`true` when this is the remembered answer of an earlier send with the same `Idempotency-Key`.',
    schema: { ...text, enum: ['true'] },
  },
  RetryAfter: required('Seconds to wait.', { type: 'integer' }, 60),
  Allow: required('The methods that are allowed.', text, 'GET, HEAD, POST'),
  WwwAuthenticate: required('How to authenticate.', text, 'Bearer'),
  CacheControl: required('Answers are never kept.', { ...text, const: 'no-store' }),
  ContentTypeOptions: required('The answer is JSON and nothing else.', { ...text, const: 'nosniff' }),
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
const last = {
  'Cache-Control': headerRef('CacheControl'),
  'X-Content-Type-Options': headerRef('ContentTypeOptions'),
};

const descriptions = {
  400: 'A parameter, the body or a field is wrong; the sentence says which and how to cure it.',
  401: 'The key is missing, wrong, revoked, or in both headers.',
  404: "No employee of the key's company has this `user_id`.",
  405: 'The method is not GET, HEAD or POST.',
  429: 'More than 60 requests in a minute.',
  500: 'A defect of the service. Repeating the request does not help. The sentence says whether it is certain that nothing was sent.',
  503: 'The database is out of reach. The sentence says whether it is certain that nothing was sent.',
} satisfies Record<FailureStatus, string>;

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
    description: descriptions[status],
    headers: { ...common, ...extraHeaders[status], ...last },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples } },
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of 1 to 255 visible ASCII characters. The same value with the same fields within 24 hours gives the first answer again without sending twice; with other fields it is 400.',
  // Without an example: programs that import the document would send it each time.
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

const acceptLanguage = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description: 'Errors come in Indonesian when it prefers `id`, else in English.',
  schema: { type: 'string' },
  example: 'id',
};

const successes: Record<string, string> = {
  read: 'The key works (`aksi=ping`), or the employees (`aksi=karyawan`).',
  send: 'Sent, or there was nobody to send it to.',
};

function complete(operation: Operation, document: Document): void {
  const { operationId } = operation;
  const sends = operationId === 'send';
  const parameters = (operation.parameters ?? []).map((parameter) => ({ ...parameter, examples: readExamples }));
  operation.parameters = [...parameters, ...(sends ? [idempotencyKey] : []), acceptLanguage];
  const replayed = sends ? { 'Idempotent-Replayed': headerRef('IdempotentReplayed') } : {};
  const success = operation.responses['200'] as { content: Record<string, { schema: object }> };
  const content = Object.entries(success.content).map(([type, { schema }]) => [
    type,
    { schema, examples: answerExamples[operationId] },
  ]);
  operation.responses = {
    200: {
      description: successes[operationId],
      headers: { ...common, ...replayed, ...last },
      content: Object.fromEntries(content),
    },
  };
  for (const status of Object.keys(descriptions))
    if (sends || status !== '404') operation.responses[status] = { $ref: `#/components/responses/Failure${status}` };
  for (const body of Object.values(operation.requestBody?.content ?? {})) {
    // One schema for all content types. With one of its own for a form, openapi-generator leaves out
    // the class but imports it in Java and Kotlin, and orval sends no Content-Type.
    document.components.schemas.Notification = body.schema;
    body.schema = { $ref: '#/components/schemas/Notification' };
    body.examples = bodyExamples;
  }
}
