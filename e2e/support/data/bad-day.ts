import { randomUUID } from 'node:crypto';
import { sql } from '#db/client.ts';
import { keep, principalOf } from '#e2e/support/data/calls.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { makeJpeg } from '#e2e/support/data/pictures.ts';
import { addPlansAndJoins } from '#e2e/support/data/plans-and-joins.ts';
import { setMustConfirmKinds } from '#server/companies/companies.ts';
import { raiseRepeats } from '#server/keys/alarms.ts';
import { createKey, fingerprintOf, revokeKey } from '#server/keys/keys.ts';

const givenNames = ['Adi', 'Budi', 'Citra', 'Dewi', 'Eka', 'Fajar', 'Gita', 'Hadi', 'Indah', 'Joko', 'Kartika', 'Made'];
const roles = ['Kasir', 'Gudang', 'Sopir', 'Admin', 'Operator Forklift', 'Kepala gudang'];
const keyNames = ['Absensi pabrik', 'Penggajian', 'Stok malam', 'Kasbon cabang', 'Timer produksi', 'Laporan harian'];
const titles: [kind: string, title: string][] = [
  ['info', 'Stok malam'],
  ['absen', 'Absen pagi belum lengkap'],
  ['gaji', 'Slip gaji bulan ini sudah dapat dilihat'],
  ['info', 'Rapat keselamatan kerja hari Senin pukul 10'],
  ['kasbon', 'Kasbon disetujui'],
  ['timer', 'Pergantian giliran sebentar lagi'],
];

/** Fills a company as on a bad day. Returns a message to confirm, and a person who has read nothing. */
export async function makeBadDay(company: Company): Promise<{ mustRead: number; username: string }> {
  const { companyId, accountId } = company.owner;
  await addPeople(companyId);
  const keyIds = await addKeys(company);
  // Where it is afternoon now, so that lists begin with a whole day.
  const offset = Math.min(14, 15 - new Date().getUTCHours());
  const timeZone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
  await sql()`update companies set last_no = 444, time_zone = ${timeZone} where id = ${companyId}`;
  const sends = Array.from({ length: 438 }, (_, index) => {
    const [kind, title] = titles[index % titles.length] ?? ['info', 'Info'];
    return { no: index + 1, kind, title, keyId: keyIds[index % 4] };
  });
  await sql()`
    insert into notifications (company_id, no, title, body, kind, reach, key_id, created_at)
    select ${companyId}, no, title, 'Baca sebelum mulai kerja.', kind, 56, "keyId",
      now() - (445 - no) * interval '50 minutes' - interval '1 hour'
    from jsonb_to_recordset(${JSON.stringify(sends)}::text::jsonb) as s (no int, title text, kind text, "keyId" int)`;
  // The key whose text repeats raises the alarm.
  await sql()`
    insert into notifications (company_id, no, title, body, kind, reach, key_id)
    select ${companyId}, 437 + i, 'Stok malam', 'Rak 7 kosong.', 'info', 56, ${keyIds[2] ?? 0}
    from generate_series(2, 6) i`;
  await raiseRepeats([{ companyId, keyId: keyIds[2] ?? 0 }]);
  await setMustConfirmKinds(company.owner, ['gaji']);
  const draftId = randomUUID();
  await sql()`
    insert into notifications (company_id, no, title, body, kind, reach, account_id, draft_id, must_confirm, created_at)
    values (${companyId}, 444, 'Aturan baru di gudang', 'Helm wajib dipakai mulai besok.', 'info', 56, ${accountId},
      ${draftId}, true, now() - interval '50 minutes')`;
  await sql()`
    insert into notification_pictures (company_id, draft_id, jpeg, width, height)
    values (${companyId}, ${draftId}, ${makeJpeg(1200, 900)}, 1200, 900)`;
  await sql()`
    insert into receipts (company_id, employee_id, no, shown_at, read_at, confirmed_at)
    select ${companyId}, e.id, n.no, n.created_at + interval '20 s', n.created_at + interval '5 minutes',
      case when n.must_confirm then n.created_at + interval '6 minutes' end
    from (select id, row_number() over (order by id) as place from employees where company_id = ${companyId} and active) e
    join notifications n on n.company_id = ${companyId} and e.place <= case when n.no = 444 then 7 else 11 + n.no % 30 end`;
  await addPlansAndJoins(company.owner);
  const reader = await company.hire('Wayan Uji');
  await sql()`update employment set from_no = 0 where company_id = ${companyId} and employee_id = ${reader.employeeId}`;
  return { mustRead: 444, username: await company.giveAccount(reader) };
}

async function addPeople(companyId: number): Promise<void> {
  const people = Array.from({ length: 61 }, (_, index) => ({
    name: `${givenNames[index % givenNames.length]} ${index % 3 ? 'Contoh' : 'Karyawan Contoh'} ${1 + (index % 20)}`,
    role: roles[index % roles.length],
    active: index < 56,
    hasAccount: index < 48,
  }));
  await sql()`
    with people as (
      select row_number() over () as place, p.*
      from jsonb_to_recordset(${JSON.stringify(people)}::text::jsonb)
        as p (name text, role text, active boolean, "hasAccount" boolean)
    ), accounts as (
      insert into accounts (company_id, username, name, password_hash)
      select ${companyId}, 'karyawan-' || gen_random_uuid(), name || ' ' || place, 'none' from people where "hasAccount"
      returning id, name
    ), employees as (
      insert into employees (company_id, account_id, name, role, active)
      select ${companyId}, a.id, p.name, p.role, p.active
      from people p left join accounts a on a.name = p.name || ' ' || place returning id, active, account_id
    ), portals as (
      insert into portals (company_id, employee_id, browser_id, sound, seen_at)
      select ${companyId}, id, gen_random_uuid(), (array['on', 'on', 'muted', 'click'])[1 + nth % 4],
        now() - (nth % 12) * interval '1 day'
      from (select id, row_number() over (order by account_id) as nth from employees where account_id is not null) e
      where nth % 7 <> 0
    )
    insert into employment (company_id, employee_id, from_no, until_no)
    select ${companyId}, id, 0, case when active then null else 1 end from employees`;
  await sql()`update companies set active_employees = 56 where id = ${companyId}`;
}

// Adds six keys, the replacement of one of them, and a revoked key that is still called.
async function addKeys({ owner, newKey }: Company): Promise<number[]> {
  const { companyId } = owner;
  const client = 'python-requests/2.32';
  const texts: string[] = [];
  for (const name of keyNames) texts.push(await newKey(name));
  const keys = await Promise.all(texts.map(principalOf));
  const gone = await newKey('Kasir lama');
  await revokeKey(owner, (await principalOf(gone)).id);
  await keep(
    { fingerprint: fingerprintOf(gone), rejection: { code: 'key_rejected' }, client },
    ...keys.map((key) => ({ key, operation: 'send' as const, client })),
    ...Array.from({ length: 24 }, (_, index) => ({
      key: keys[index % 3] ?? null,
      fingerprint: fingerprintOf(texts[index % 3] ?? ''),
      rejection: { code: 'url_not_internal' as const, field: 'url', parameters: { received: 'absolute' as const } },
      at: new Date(Date.now() - index * 60_000),
      client,
    })),
  );
  await createKey(owner, { name: 'Penggajian baru' }, keys[1]?.id ?? 0);
  await sql()`update api_keys set created_at = now() - interval '200 days' where company_id = ${companyId} and id = ${keys[4]?.id ?? 0}`;
  await sql()`update key_uses set last_at = now() - interval '120 days' where company_id = ${companyId} and key_id = ${keys[4]?.id ?? 0}`;
  return keys.map((key) => key.id);
}
