import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { addAlarmsAndNumbers, addPlansAndJoins, type JoinAddresses } from '#e2e/pictures/plans-and-joins.ts';
import { makeCompany, password } from '#harness/company.ts';
import { inviteManager } from '#server/accounts/owner-links.ts';
import { markRead, recordShown } from '#server/inbox/read-state.ts';
import { authenticateKey, fingerprintOf } from '#server/keys/keys.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { ApiKey, Employee, Owner } from '#server/principals.ts';
import { countCompany } from '#server/sends/count-statistics.ts';
import { sendNotification } from '#server/sends/send.ts';
import { sendByHand } from '#server/sends/send-by-hand.ts';

/** What the pictures show: a company with people, keys and two weeks of sends. */
export type PicturedCompany = JoinAddresses & {
  ownerName: string;
  managerName: string;
  employeeName: string;
  password: string;
  no: number;
  toRoles: number;
};

const roles = ['Gudang', 'Kasir', 'Sopir', 'Admin', 'Keamanan', 'Kepala gudang'];
const keyNames = ['n8n gudang', 'Skrip gaji', 'Mesin absen', 'Toko daring', 'Bot Telegram', 'Cadangan malam'];
type Message = { title: string; body: string; kind: Kind; key: number; everyone?: boolean };
const messages: Message[] = [
  { title: 'Stok malam', body: 'Beras 25 kg tinggal 12 karung.', kind: 'info', key: 0, everyone: true },
  { title: 'Gaji November sudah masuk', body: 'Rp4.850.000 ke rekening Anda.', kind: 'gaji', key: 1 },
  { title: 'Absen pulang belum tercatat', body: 'Mohon lapor ke atasan sebelum pukul 18.00.', kind: 'absen', key: 2 },
  {
    title: 'Pesanan baru dari toko daring',
    body: 'Tiga pesanan menunggu dikemas.',
    kind: 'info',
    key: 3,
    everyone: true,
  },
  { title: 'Bonus lembur disetujui', body: 'Rp350.000 dibayar bersama gaji.', kind: 'bonus', key: 1 },
  { title: 'Kasbon disetujui', body: 'Rp500.000, dipotong dua kali.', kind: 'kasbon', key: 1 },
  { title: 'Istirahat selesai', body: 'Silakan kembali ke tempat kerja.', kind: 'timer', key: 2, everyone: true },
  { title: 'Cadangan data selesai', body: 'Semua berkas tersimpan.', kind: 'info', key: 5, everyone: true },
];

/** Fills an empty database with plainly made-up data, the same each time but for ids. */
export async function makePicturedCompany(adminUrl: string): Promise<PicturedCompany> {
  const admin = postgres(adminUrl, { max: 1 });
  const company = await makeCompany('Perusahaan Contoh');
  const people: Employee[] = [];
  for (let at = 1; at <= 56; at++)
    people.push(await company.hire(`Karyawan Contoh ${words[at % 10]} ${at}`, String(roles[at % roles.length])));
  const [first, second] = people;
  if (!first || !second) throw new Error('nobody was hired');
  for (const person of people.slice(50)) await company.invite(person);
  await company.deactivate(people[48] as Employee);
  const employeeName = await company.giveAccount(first);
  const accounts = [first];
  for (const person of people.slice(1, 40)) {
    // Passwords of people who never sign in here would take a minute of hashing.
    const [row] = await admin<
      { id: number }[]
    >`insert into accounts (company_id, name, username, password_hash, is_owner)
      select company_id, ${person.name}, ${`karyawan-${randomUUID()}`}, password_hash, false from accounts
      where company_id = ${company.owner.companyId} and not is_owner limit 1 returning id`;
    await admin`update employees set account_id = ${row?.id ?? 0} where company_id = ${company.owner.companyId} and id = ${person.employeeId}`;
    accounts.push(person);
  }
  const keys: ApiKey[] = [];
  for (const name of keyNames) {
    const key = await authenticateKey(fingerprintOf(await company.newKey(name)));
    if (key) keys.push(key);
  }
  const no = await sendEverything(company.owner, keys, people, accounts);
  const sent = await sendByHand(company.owner, {
    ...byHand,
    draftId: randomUUID(),
    toRoles: ['Kasir', 'Gudang'],
    title: 'Serah terima kunci toko',
    body: 'Kunci cadangan ada di kepala gudang.',
    mustConfirm: false,
  });
  if (typeof sent === 'string') throw new Error(sent);
  await admin`update receipts set confirmed_at = now() where no = ${no} and employee_id % 3 > 0`;
  await spreadOverDays(admin, company.owner);
  await callKeys(admin, company.owner);
  await admin`update receipts r set read_at = n.created_at + (r.employee_id * 7 % 100) * interval '1 minute'
    from notifications n where n.company_id = r.company_id and n.no = r.no and r.read_at is not null`;
  const { username: managerName } = await company.addManager('Manajer Contoh');
  await inviteManager(company.owner, 'Calon Manajer');
  await countCompany(company.owner);
  await addEarlierMonths(admin, company.owner, keys);
  await addAlarmsAndNumbers(admin, company.owner);
  const addresses = await addPlansAndJoins(company.owner);
  await putAside(admin, first);
  await admin.end();
  return { ownerName: company.username, managerName, employeeName, password, no, toRoles: sent.no, ...addresses };
}

// Figures of the eleven months before, as the hourly job would have counted them.
async function addEarlierMonths(admin: postgres.Sql, { companyId }: Owner, keys: ApiKey[]): Promise<void> {
  await admin`
    insert into send_statistics
      (company_id, day, key_id, sends, reach, read_within_hour, to_confirm, confirmed, counted_at)
    select ${companyId}, (date_trunc('month', now()) - ago * interval '1 month')::date, key, sends, sends * 21,
      sends * (9 + (ago * 5 + key) % 8), sends * 6, sends * (4 + ago % 2), now()
    from generate_series(1, 11) ago, unnest(${[0, ...keys.map(({ id }) => id)]}::int[]) key,
      lateral (select 20 + (ago * 37 + key * 11) % 60 as sends) made
    on conflict do nothing`;
}

// The employee whose inbox is pictured has archived some notifications and put others off.
async function putAside(admin: postgres.Sql, { companyId, employeeId }: Employee): Promise<void> {
  await admin`
    update receipts set archived_at = case when no % 2 = 0 then now() end,
      snoozed_until = case when no % 2 = 1 then now() + interval '3 hours' end
    where company_id = ${companyId} and employee_id = ${employeeId} and read_at is not null and no % 5 = 0`;
}

const byHand = { recipientId: 0, toRoles: null, toPeople: null, kind: 'info', url: null } as const;
const words = ['Satu', 'Dua', 'Tiga', 'Empat', 'Lima', 'Enam', 'Tujuh', 'Delapan', 'Sembilan', 'Sepuluh'];

async function sendEverything(owner: Owner, keys: ApiKey[], people: Employee[], accounts: Employee[]): Promise<number> {
  const sendsTotal = 420;
  let no = 0;
  for (let at = 0; at < sendsTotal; at++) {
    // Runs of the same text, as scripts make them.
    const message = messages[at % 17 < 6 ? 0 : (at * 7) % messages.length];
    const key = keys[message?.key ?? 0];
    if (!message || !key) continue;
    const recipient = message.everyone ? 0 : people[(at * 5) % 9 === 0 ? 0 : (at * 3) % people.length]?.employeeId;
    const { title, body, kind } = message;
    await sendNotification(key, { recipientId: recipient ?? 0, title, body, kind, url: '/portal' }, randomUUID());
    no++;
  }
  for (const [title, body] of [
    ['Rapat hari Senin pukul 10', 'Semua hadir di aula lantai dua.'],
    ['Aturan baru pemakaian forklift', 'Hanya yang bersertifikat boleh mengemudi. Baca lalu konfirmasi.'],
  ] as const)
    no = (await handSend(owner, { ...byHand, title, body, mustConfirm: title.startsWith('Aturan') })) ?? no;
  for (const [at, person] of accounts.entries()) {
    const numbers = Array.from({ length: 60 }, (_, back) => no - back).filter((one) => (one * (at + 3)) % 5 > at % 4);
    await recordShown(person, numbers);
    for (const one of numbers.slice(0, 14)) if ((one + at) % 3 > 0) await markRead(person, one, true);
  }
  return no;
}

async function handSend(owner: Owner, draft: Omit<Parameters<typeof sendByHand>[1], 'draftId'>) {
  const sent = await sendByHand(owner, { ...draft, draftId: randomUUID() });
  return typeof sent === 'string' ? undefined : sent.no;
}

// The sends of a moment become those of two weeks. The audit log allows no update, except in a
// session that replicates.
async function spreadOverDays(admin: postgres.Sql, { companyId }: Owner): Promise<void> {
  await admin`set session_replication_role = replica`;
  await admin`update notifications set created_at = now() - (select max(no) from notifications where company_id = ${companyId}) * interval '47 minutes'
    + no * interval '47 minutes' where company_id = ${companyId}`;
  await admin`update audit_log a set at = n.created_at from notifications n
    where a.company_id = ${companyId} and n.company_id = ${companyId} and a.action = 'notification.send' and (a.details->>'no')::bigint = n.no`;
  await admin`update audit_log set at = at - interval '15 days' where company_id = ${companyId} and action <> 'notification.send'`;
  await admin`update api_keys set created_at = created_at - interval '120 days' where company_id = ${companyId}`;
  await admin`set session_replication_role = origin`;
}

// A month of requests of all keys but the last, their last use, refusals of one, and one that ends.
async function callKeys(admin: postgres.Sql, { companyId }: Owner): Promise<void> {
  await admin`insert into key_traffic (company_id, key_id, hour, requests, refused)
    select ${companyId}, k.id, date_trunc('hour', now()) - ago * interval '1 hour', 1 + (k.id * 7 + ago * ago) % 13,
      case when k.id % 3 = 0 and ago % 5 = 0 then 1 else 0 end
    from api_keys k, generate_series(0, 700) as ago
    where k.company_id = ${companyId} and k.name <> 'Cadangan malam' and (ago * (k.id + 2)) % 7 < 4`;
  await admin`insert into key_uses (company_id, key_id, first_at, last_at, operation, address, client)
    select ${companyId}, id, now() - interval '30 days', now() - id * interval '41 minutes', 'send', '203.0.113.' || id, 'n8n'
    from api_keys where company_id = ${companyId} and name <> 'Cadangan malam'`;
  await admin`insert into refusals (company_id, at, request_id, key_id, code, operation, address, client)
    select ${companyId}, now() - n * interval '3 hours', gen_random_uuid(), 1, 'aksi_missing', 'GET', '203.0.113.1', 'n8n'
    from generate_series(1, 3) n`;
  await admin`update api_keys set expires_at = now() + interval '4 days'
    where company_id = ${companyId} and name = 'Toko daring'`;
}
