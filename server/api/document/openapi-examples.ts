import type { Document, Example } from '#server/api/document/openapi-finish.ts';
import type { Failure, FailureCode } from '#server/api/failures.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

/** The examples of answers with status 200, by operation and name. */
export const answerExamples: Record<string, Record<string, Example>> = {
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

/** The examples of the parameter `aksi`. */
export const readExamples = {
  ping: { summary: 'Check the key', value: 'ping' },
  karyawan: { summary: 'List the employees', value: 'karyawan' },
};

// Programs that import the document send the first example. It works in every company: a fixed
// `user_id` could be unknown, or a real employee's.
const bodies: Record<string, Example> = {
  everyone: {
    summary: 'To every active employee',
    value: { judul: 'Uji coba', isi: 'Ini hanya uji coba, abaikan saja.' },
  },
  one: {
    summary: 'To one employee, with a link',
    value: {
      judul: 'Uji coba',
      isi: 'Ini hanya uji coba, abaikan saja.',
      user_id: 7,
      jenis: 'info',
      url: '/portal/notifications',
    },
  },
};

/** The examples of the body of a send in one content type. All values of a form are texts. */
export function bodyExamples(contentType: string): Record<string, Example> {
  if (contentType === 'application/json') return bodies;
  const asTexts = ({ summary, value }: Example): Example => ({
    summary,
    value: Object.fromEntries(Object.entries(value).map(([name, field]) => [name, String(field)])),
  });
  return Object.fromEntries(Object.entries(bodies).map(([name, example]) => [name, asTexts(example)]));
}

const exampleFailures: Partial<Record<FailureCode, Omit<Failure, 'code'>>> = {
  key_malformed: { parameters: { length: 40 } },
  key_wrapped: { parameters: { came: 'bearer_beside_key' } },
  method_not_allowed: { parameters: { came: 'DELETE' } },
  aksi_missing: { field: 'aksi', parameters: { names: '"action"' } },
  aksi_repeated: { field: 'aksi', parameters: { count: 2 } },
  aksi_unknown: { field: 'aksi', parameters: { came: '"PING"' } },
  body_too_large: { parameters: { length: 70_000 } },
  body_not_utf8: { parameters: { position: 16 } },
  content_type_unsupported: { parameters: { came: '"text/plain"' } },
  charset_unsupported: { parameters: { came: '"iso-8859-1"' } },
  content_encoding_unsupported: { parameters: { came: '"gzip"' } },
  json_malformed: { parameters: { came: 'single_quotes', line: 1, column: 2 } },
  json_not_object: { parameters: { came: 'array' } },
  form_malformed: { parameters: { came: 'percent' } },
  file_not_accepted: { field: 'judul', parameters: { came: '"judul"' } },
  field_repeated: { field: 'judul', parameters: { count: 2 } },
  field_missing: { field: 'judul', parameters: { names: '"title", "message"' } },
  field_blank: { field: 'judul', parameters: { came: 'empty_text' } },
  field_not_text: { field: 'judul', parameters: { came: 'number' } },
  field_too_long: { field: 'judul', parameters: { limit: draftLimits.title, length: draftLimits.title + 14 } },
  field_forbidden_character: { field: 'judul', parameters: { came: 'nul' } },
  user_id_empty: { field: 'user_id', parameters: { came: 'null' } },
  user_id_not_integer: { field: 'user_id', parameters: { came: 'text', value: '"Karyawan Satu"' } },
  user_id_misspelt: { field: 'user_id', parameters: { came: '"userId"' } },
  url_not_internal: { field: 'url', parameters: { came: 'absolute' } },
  idempotency_key_malformed: { parameters: { length: 13, position: 5 } },
  employee_not_in_company: { field: 'user_id' },
  internal_error: { parameters: { came: 'nothing_sent' } },
};

/** The failure that the example of a code shows. `e2e/api/examples.test.ts` causes each of them. */
export const exampleFailure = (code: FailureCode): Failure => ({ code, ...exampleFailures[code] });

/** An example request of the document. `fields` are those of its body; a read has none. */
export type ExampleRequest = {
  summary: string;
  description: string;
  method: string;
  path: string;
  query: { key: string; value: string }[];
  contentType: string;
  fields?: Record<string, unknown>;
};

/** The example requests of a document: first the reads, last the sends to everyone. */
export function listExampleRequests({ paths }: Document): ExampleRequest[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([name, { parameters = [], requestBody, description = '' }]) => {
      const request = { description, method: name.toUpperCase(), path, query: [], contentType: '' };
      const queries = (parameters as Parameter[]).filter((parameter) => parameter.in === 'query');
      const reads = queries.flatMap(({ name: key, examples = {} }) =>
        Object.values(examples).map(({ summary, value }) => ({
          ...request,
          summary,
          query: [{ key, value: String(value) }],
        })),
      );
      const sends = Object.entries(requestBody?.content ?? {}).flatMap(([contentType, { examples = {} }]) =>
        Object.values(examples).map(({ summary, value }) => ({ ...request, summary, contentType, fields: value })),
      );
      const isToOne = ({ fields }: { fields: object }) => 'user_id' in fields;
      return [...reads, ...sends.filter(isToOne), ...sends.filter((send) => !isToOne(send))];
    }),
  );
}

type Parameter = { name: string; in: string; examples?: Record<string, { summary: string; value: unknown }> };
