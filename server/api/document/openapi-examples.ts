import type { Failure, FailureCode } from '#server/api/failures.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { impossibleId } from '#server/sends/store.ts';

export type Example = { summary: string; value: Record<string, unknown> };

export const answerExamples: Record<string, Record<string, Example>> = {
  read: {
    ping: { summary: 'aksi=ping', value: { ok: true, key: 'n8n gaji', perusahaan: 'PT Contoh' } },
    karyawan: {
      summary: 'aksi=karyawan',
      value: { ok: true, karyawan: [{ user_id: 7, nama: 'Karyawan Satu', peran: 'Kasir' }] },
    },
  },
  send: {
    sent: { summary: 'sent', value: { ok: true, terkirim: 1 } },
    nobody: { summary: 'nobody', value: { ok: true, terkirim: 0 } },
  },
};

export const readExamples = {
  ping: { summary: 'checkKey', value: 'ping' },
  karyawan: { summary: 'listEmployees', value: 'karyawan' },
};

/** The texts of the examples. */
export const exampleTexts = { judul: 'Uji coba', isi: 'Ini hanya uji coba, abaikan saja.' };

/** The examples of the body of a send. Programs run them by themselves, and none reaches anybody. */
export const bodyExamples: Record<string, Example> = {
  one: {
    summary: 'toOne',
    value: { ...exampleTexts, user_id: impossibleId, jenis: 'info', url: '/portal/notifications' },
  },
};

const exampleFailures: Partial<Record<FailureCode, Omit<Failure, 'code'>>> = {
  key_malformed: { parameters: { length: 40 } },
  key_wrapped: { parameters: { received: 'bearer_beside_key' } },
  method_not_allowed: { parameters: { received: 'DELETE' } },
  aksi_missing: { field: 'aksi', parameters: { names: '"action"' } },
  aksi_repeated: { field: 'aksi', parameters: { count: 2 } },
  aksi_unknown: { field: 'aksi' },
  body_too_large: { parameters: { length: 70_000 } },
  body_not_utf8: { parameters: { position: 16 } },
  content_type_unsupported: { parameters: { received: '"text/plain"' } },
  charset_unsupported: { parameters: { received: '"iso-8859-1"' } },
  content_encoding_unsupported: { parameters: { received: '"gzip"' } },
  json_malformed: { parameters: { received: 'single_quotes', line: 1, column: 2 } },
  json_not_object: { parameters: { received: 'array' } },
  form_malformed: { parameters: { received: 'percent', position: 10 } },
  file_not_accepted: { field: 'judul', parameters: { received: '"judul"' } },
  field_repeated: { field: 'judul', parameters: { count: 2 } },
  field_missing: { field: 'judul', parameters: { names: '"title", "message"' } },
  field_blank: { field: 'judul', parameters: { received: 'empty_text' } },
  field_not_text: { field: 'judul', parameters: { received: 'number' } },
  field_too_long: { field: 'judul', parameters: { limit: draftLimits.title, length: draftLimits.title + 14 } },
  field_forbidden_character: { field: 'judul', parameters: { received: 'nul' } },
  user_id_empty: { field: 'user_id', parameters: { received: 'null' } },
  user_id_not_integer: { field: 'user_id', parameters: { received: 'text' } },
  recipient_unclear: { field: 'user_id', parameters: { received: '"userId"' } },
  url_not_internal: { field: 'url', parameters: { received: 'absolute' } },
  idempotency_key_malformed: { parameters: { length: 13, position: 5 } },
  employee_not_in_company: { field: 'user_id' },
  request_malformed: { parameters: { received: 'large_headers' } },
  internal_error: { parameters: { received: 'nothing_sent' } },
};

/** The failure that the example of a code shows. `e2e/api/document.test.ts` causes each of them. */
export const exampleFailure = (code: FailureCode): Failure => ({ code, ...exampleFailures[code] });
