import type { Failure, FailureCode } from '#server/api/failures.ts';

type Example = { summary: string; value: Record<string, unknown> };

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

// Programs that import the document send the first one. It works in every company, and says what it
// is: a number of an employee would be nobody's or somebody's.
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
  user_id_misspelt: { field: 'user_id', figures: { came: '"userId"' } },
  url_not_internal: { field: 'url', figures: { came: 'absolute' } },
  idempotency_key_malformed: { figures: { length: 13, position: 5 } },
  employee_not_in_company: { field: 'user_id' },
};

/** The failure that the example of a code shows. `e2e/api/examples.test.ts` causes each of them. */
export const exampleFailure = (code: FailureCode): Failure => ({ code, ...exampleFailures[code] });
