import { expect, test } from 'vitest';
import { ask, withKey } from '#e2e/fixtures/interface.ts';
import { makeCompany } from '#harness/company.ts';

const rows: [string, string][] = [
  ['', 'aksi_missing'],
  ['?', 'aksi_missing'],
  ['?aksi', 'aksi_missing'],
  ['?aksi=', 'aksi_missing'],
  ['?Aksi=ping', 'aksi_missing'],
  ['?aksi[]=ping', 'aksi_missing'],
  ['?aksi[0]=ping', 'aksi_missing'],
  ['?aksi=PING', 'aksi_unknown'],
  ['?aksi=%20ping', 'aksi_unknown'],
  ['?aksi=ping%00', 'aksi_unknown'],
  ['?aksi=ping;x', 'aksi_unknown'],
  ['?aksi=kirim&judul=a&isi=b', 'aksi_unknown'],
  ['?aksi=toString', 'aksi_unknown'],
  ['?aksi=%zz', 'aksi_unknown'],
  ['?aksi=ping&aksi=karyawan', 'aksi_repeated'],
  ['?aksi=ping&aksi=ping', 'aksi_repeated'],
];

test('A1, A2, A3: aksi is exactly ping or karyawan, once; missing, empty, repeated, other case and aksi[] are 400', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  for (const [search, code] of rows) {
    const { status, json } = await ask(search, { headers: withKey(key) });
    expect([search, status, json.code, json.field]).toEqual([search, 400, code, 'aksi']);
  }
});

test('A4: sending by GET does not exist', async () => {
  const company = await makeCompany();
  await company.hire();
  const { status } = await ask('?judul=a&isi=b', { headers: withKey(await company.newKey()) });
  expect(status).toBe(400);
});
