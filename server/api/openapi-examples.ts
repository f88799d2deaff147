import { type Failure, type FailureCode, failures } from '#server/api/failures.ts';

type Example = { summary: string; value: Record<string, unknown> };

/** Each answer that is 200, by operation and by the name of the example. */
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

/** The values of `aksi`. */
export const readingExamples = {
  ping: { summary: 'Check the key', value: 'ping' },
  karyawan: { summary: 'List the employees', value: 'karyawan' },
};

const bodies: Record<string, Example> = {
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
  everyone: { summary: 'To every active employee', value: { judul: 'Rapat pukul 10', isi: 'Semua hadir di aula.' } },
};

/** Bodies of a send in one content type; what is not JSON has only texts. */
export function bodyExamples(contentType: string): Record<string, Example> {
  if (contentType === 'application/json') return bodies;
  const asTexts = ({ summary, value }: Example): Example => ({
    summary,
    value: Object.fromEntries(Object.entries(value).map(([name, field]) => [name, String(field)])),
  });
  return Object.fromEntries(Object.entries(bodies).map(([name, example]) => [name, asTexts(example)]));
}

const fieldsAtFault: Partial<Record<FailureCode, string>> = {
  ...{ aksi_missing: 'aksi', aksi_repeated: 'aksi', aksi_unknown: 'aksi' },
  ...{ file_not_accepted: 'lampiran', user_id_not_integer: 'user_id', url_not_internal: 'url' },
  employee_not_in_company: 'user_id',
};

/** The failure that a code's example shows; `e2e/api/examples.test.ts` sends the request that provokes exactly it. */
export function exampleFailure(code: FailureCode): Failure {
  const field = fieldsAtFault[code] ?? (failures[code].en.includes('{field}') ? 'judul' : undefined);
  return { code, field, figures: { limit: 120, length: 134, count: 2 } };
}
