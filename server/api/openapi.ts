import { generateOpenApiDocument } from 'trpc-to-openapi';
import { type Failure, type FailureCode, failureBody, failures } from '#server/api/failures.ts';
import { documentedRouter, notifPath } from '#server/api/router.ts';
import { FailureAnswer } from '#server/api/wire.ts';

type Operation = {
  operationId: string;
  security?: object[];
  parameters?: object[];
  requestBody?: { required: boolean; content: Record<string, { schema: object; examples?: object }> };
  responses: Record<string, object>;
};
type Document = {
  info: object;
  tags: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: object; schemas: Record<string, object>; headers?: object; responses?: object };
};

/** The interface as an OpenAPI 3.1 document, generated from the router; `baseUrl` is where it is served. */
export function makeOpenApiDocument(baseUrl: string): object {
  const generated: unknown = generateOpenApiDocument(documentedRouter, {
    title: 'Staff Notification API',
    description:
      'Send notifications to the employees of one company. The key decides the company. A key can do three things: check that it works, list employees (id, name, role), and send. Every request with a valid key counts against 60 a minute.',
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl,
    tags: ['Notifications'],
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The API key as `Authorization: Bearer <key>`.' },
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: 'The API key alone, for hosts that strip `Authorization`. Use exactly one of the two headers.',
      },
    },
    defs: { Failure: FailureAnswer },
  });
  const document = structuredClone(generated) as Document;
  const license = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };
  document.info = { ...document.info, license };
  document.tags = [{ name: 'Notifications', description: 'Everything an API key can do.' }];
  document.components.headers = headers;
  document.components.responses = failureResponses();
  for (const operation of Object.values(document.paths[notifPath] ?? {})) complete(operation, document);
  return document;
}

const integer = (example: number) => ({ schema: { type: 'integer', minimum: 0, maximum: 60 }, example });

const headers = {
  RateLimitLimit: { description: 'Requests a key may make in a minute.', required: true, ...integer(60) },
  RateLimitRemaining: {
    description: 'Requests left in the current minute; 0 when no valid key was sent.',
    required: true,
    ...integer(59),
  },
  RateLimitPolicy: {
    description:
      'The same limit in the standard form (draft-ietf-httpapi-ratelimit-headers): `q` requests in `w` seconds.',
    required: true,
    schema: { type: 'string' },
    example: '"minute";q=60;w=60',
  },
  RateLimit: {
    description:
      'What is left of it (`r`) and in how many seconds it begins anew (`t`). Absent when no valid key was sent.',
    schema: { type: 'string', pattern: '^"minute";r=[0-9]{1,2};t=[0-9]{1,2}$' },
    example: '"minute";r=59;t=60',
  },
  Link: {
    description:
      'This document (`service-desc`), its documentation (`service-doc`), and for a failure the place that explains it (`help`).',
    required: true,
    schema: { type: 'string' },
    example: '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"',
  },
  RequestId: {
    description: 'Identifies this request in the audit log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  IdempotentReplayed: {
    description: '`true` when this is the remembered answer of an earlier send with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: { description: 'Seconds to wait.', required: true, schema: { type: 'integer' }, example: 60 },
  Allow: {
    description: 'The methods that are allowed.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, POST',
  },
  WwwAuthenticate: {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
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

const descriptions = {
  400: 'A parameter, the body or a field is wrong; the sentence says which and how to cure it.',
  401: 'The key is missing, wrong, revoked, or in both headers.',
  404: "No employee of the key's company has this `user_id`.",
  405: 'The method is not GET, HEAD or POST.',
  429: 'More than 60 requests in a minute.',
  503: 'The database is out of reach; nothing was sent.',
} as const;
type FailureStatus = keyof typeof descriptions;

const extraHeaders: Partial<Record<FailureStatus, object>> = {
  401: { 'WWW-Authenticate': headerRef('WwwAuthenticate') },
  405: { Allow: headerRef('Allow') },
  429: { 'Retry-After': headerRef('RetryAfter') },
  503: { 'Retry-After': headerRef('RetryAfter') },
};

function failureResponses(): Record<string, object> {
  const statuses = Object.keys(descriptions).map(Number) as FailureStatus[];
  return Object.fromEntries(statuses.map((status) => [`Failure${status}`, failureResponse(status)]));
}

function failureResponse(status: FailureStatus): object {
  const codes = (Object.keys(failures) as FailureCode[]).filter(
    (code) => failures[code].status === status && code !== 'address_unknown',
  );
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
  return {
    description: descriptions[status],
    headers: { ...common, ...extraHeaders[status] },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples } },
  };
}

const exampleFailures: Partial<Record<FailureCode, Omit<Failure, 'code'>>> = {
  key_malformed: { figures: { length: 40 } },
  key_wrapped: { figures: { came: 'bearer_beside_key' } },
  method_not_allowed: { figures: { came: 'DELETE' } },
  aksi_missing: { field: 'aksi', figures: { names: '"action"' } },
  aksi_repeated: { field: 'aksi', figures: { count: 2 } },
  aksi_unknown: { field: 'aksi', figures: { came: '"PING"' } },
  body_too_large: { figures: { length: 70_000 } },
  body_not_utf8: { figures: { position: 16 } },
  content_type_unsupported: { figures: { came: '"text/plain"' } },
  charset_unsupported: { figures: { came: '"iso-8859-1"' } },
  content_encoding_unsupported: { figures: { came: '"gzip"' } },
  json_malformed: { figures: { came: 'single_quotes', line: 1, column: 2 } },
  json_not_object: { figures: { came: 'array' } },
  form_malformed: { figures: { came: 'percent' } },
  file_not_accepted: { field: 'judul', figures: { came: '"judul"' } },
  field_repeated: { field: 'judul', figures: { count: 2 } },
  field_missing: { field: 'judul', figures: { names: '"title", "message"' } },
  field_blank: { field: 'judul', figures: { came: 'empty_text' } },
  field_not_text: { field: 'judul', figures: { came: 'number' } },
  field_too_long: { field: 'judul', figures: { limit: 120, length: 134 } },
  field_forbidden_character: { field: 'judul', figures: { came: 'nul' } },
  user_id_empty: { field: 'user_id', figures: { came: 'null' } },
  user_id_not_integer: { field: 'user_id', figures: { came: 'text', value: '"Karyawan Satu"' } },
  url_not_internal: { field: 'url', figures: { came: 'absolute' } },
  idempotency_key_malformed: { figures: { length: 13, position: 5 } },
  employee_not_in_company: { field: 'user_id' },
};

function exampleOf(code: FailureCode): unknown {
  const { field, figures } = exampleFailures[code] ?? {};
  return JSON.parse(failureBody({ code, field, figures }, 'en'));
}

const answerExamples: Record<string, object> = {
  read: {
    ping: { summary: 'aksi=ping', value: { ok: true, key: 'n8n gaji', perusahaan: 'PT Contoh' } },
    karyawan: {
      summary: 'aksi=karyawan',
      value: { ok: true, karyawan: [{ user_id: 7, nama: 'Karyawan Satu', peran: 'Kasir' }] },
    },
  },
  send: {
    sent: { summary: 'One employee received it', value: { ok: true, terkirim: 1 } },
    nobody: { summary: 'The target is inactive, or nobody is active', value: { ok: true, terkirim: 0 } },
  },
};

const bodyExamples = {
  everyone: { summary: 'To every active employee', value: { judul: 'Rapat pukul 10', isi: 'Semua hadir di aula.' } },
  one: {
    summary: 'To one employee, with a link',
    value: {
      judul: 'Gaji November',
      isi: 'Slip gaji sudah tersedia.',
      user_id: 7,
      jenis: 'gaji',
      url: '/portal/notifications',
    },
  },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of 1 to 255 visible ASCII characters. The same value with the same fields within 24 hours gives the first answer again without sending twice; with other fields it is 400.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: 'gaji-2026-11-7',
};

const acceptLanguage = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description: 'Errors come in Indonesian when it prefers `id`, else in English.',
  schema: { type: 'string' },
  example: 'id',
};

function complete(operation: Operation, document: Document): void {
  const { operationId } = operation;
  const sends = operationId === 'send';
  operation.parameters = [...(operation.parameters ?? []), ...(sends ? [idempotencyKey] : []), acceptLanguage];
  const replayed = sends ? { 'Idempotent-Replayed': headerRef('IdempotentReplayed') } : {};
  const success = operation.responses['200'] as { content: Record<string, object> };
  const content = Object.entries(success.content).map(([type, value]) => [
    type,
    { ...value, examples: answerExamples[operationId] },
  ]);
  operation.responses = {
    200: { ...success, headers: { ...common, ...replayed }, content: Object.fromEntries(content) },
  };
  for (const status of Object.keys(descriptions))
    if (sends || status !== '404') operation.responses[status] = { $ref: `#/components/responses/Failure${status}` };
  for (const body of Object.values(operation.requestBody?.content ?? {})) {
    // The generator drops the schema's name and writes it out once for each content type.
    document.components.schemas.Notification = body.schema;
    body.schema = { $ref: '#/components/schemas/Notification' };
    body.examples = bodyExamples;
  }
}
