import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, must } from '#e2e/support/data/company.ts';
import { createJoinLink, requestToJoin } from '#server/employees/join-requests.ts';
import type { Owner } from '#server/principals.ts';
import { listSends } from '#server/sends/history/send-list.ts';
import { sendDue } from '#server/sends/planned/due-sends.ts';
import type { Schedule } from '#server/sends/planned/send-rules.ts';

const applicants = ['Calon Contoh Satu', 'Calon Contoh Dua', 'Calon Contoh Tiga', 'Calon Contoh Empat', 'Calon Lima'];

/** Adds people who ask to join, planned sends, rules and templates. Returns the page of one who waits. */
export async function addPlansAndJoins(owner: Owner): Promise<string> {
  const { companyId, accountId } = owner;
  const link = must(await createJoinLink(owner, { role: null, days: 7, maxRequests: 50 }));
  must(await createJoinLink(owner, { role: 'Gudang', days: 1, maxRequests: 10 }));
  let wait = '';
  for (const [at, name] of applicants.entries()) {
    const asked = await requestToJoin(link.token, { name, role: at % 2 ? 'Kasir' : 'Sopir' }, '203.0.113.7');
    wait = must(asked).token;
  }
  const plan = (title: string, body: string, inHours: number, roles: string[] | null, missed = false) => sql()`
    insert into planned_sends (company_id, draft_id, account_id, to_roles, title, body, kind, must_confirm, is_planned,
      leaves_at, missed_at)
    values (${companyId}, ${randomUUID()}, ${accountId}, ${roles}, ${title}, ${body}, 'info', false, true,
      now() + ${inHours} * interval '1 hour', ${missed ? sql()`now()` : null})`;
  await plan('Stok opname besok pukul 7', 'Semua rak dihitung sebelum toko buka.', 14, ['Gudang', 'Kepala gudang']);
  await plan('Libur Natal', 'Toko tutup tanggal 25 dan 26 Desember.', 700, null);
  await plan('Arisan bulan ini', 'Dikumpulkan di meja kasir paling lambat pukul 17.', -5, ['Kasir'], true);
  const rule = async (title: string, body: string, every: string, more: { weekdays?: number[]; day?: number }) => {
    const [made] = await sql()<{ id: number }[]>`
      insert into send_rules (company_id, account_id, title, body, kind, must_confirm, every, weekdays, month_day, minute,
        time_zone, starts_on)
      values (${companyId}, ${accountId}, ${title}, ${body}, 'info', false, ${every}, ${more.weekdays ?? null},
        ${more.day ?? null}, 480, 'Asia/Jakarta', current_date) returning id`;
    await sql()`
      insert into planned_sends (company_id, draft_id, account_id, title, body, kind, must_confirm, is_planned, leaves_at,
        rule_id)
      values (${companyId}, ${randomUUID()}, ${accountId}, ${title}, ${body}, 'info', false, true,
        date_trunc('day', now()) + interval '2 days 1 hour', ${made?.id ?? null})`;
    return made?.id ?? null;
  };
  await rule('Briefing pagi', 'Kumpul di depan gudang pukul 8.15.', 'week', { weekdays: [1, 4] });
  // After an outage: a missed time, and five before it.
  const opening = await rule('Buka toko', 'Cek kasir dan lampu sebelum pintu dibuka.', 'day', {});
  await sql()`
    insert into planned_sends (company_id, draft_id, account_id, title, body, kind, must_confirm, is_planned, leaves_at,
      missed_at, missed_before, rule_id)
    values (${companyId}, gen_random_uuid(), ${accountId}, 'Buka toko', 'Cek kasir dan lampu sebelum pintu dibuka.',
      'absen', false, true, date_trunc('day', now()) - interval '23 hours', now(), 5, ${opening})`;
  await rule('Absen lembur', 'Kirim catatan lembur sebelum tanggal 25.', 'month', { day: 20 });
  for (const [name, title] of [
    ['Rapat Senin', 'Rapat hari Senin pukul 10'],
    ['Gaji masuk', 'Gaji sudah masuk'],
    ['Listrik padam', 'Listrik padam, pakai genset'],
  ] as const)
    await sql()`
      insert into send_templates (company_id, name, title, body, kind, must_confirm, created_by, to_roles)
      values (${companyId}, ${name}, ${title}, 'Baca sebelum mulai kerja.', 'info', false, ${accountId},
        ${name === 'Listrik padam' ? ['Gudang'] : null})`;
  return `/join/wait/${wait}`;
}

export const makeDue = ({ owner }: Company, ago = '1 second') => sql()`
  update planned_sends set leaves_at = now() - ${ago}::text::interval
  where company_id = ${owner.companyId} and undone_at is null and missed_at is null`;

/** Sends what is due, and waits for sends that the process of another test file has taken. */
export const sendAllDue = ({ owner }: Company) =>
  expect
    .poll(
      async () => {
        await sendDue();
        return sql()`
          select from planned_sends where company_id = ${owner.companyId} and undone_at is null and missed_at is null
            and leaves_at <= now()`;
      },
      { timeout: 20_000, interval: 20 },
    )
    .toEqual([]);

export async function sendWaiting(company: Company, ago?: string): Promise<void> {
  await makeDue(company, ago);
  await sendAllDue(company);
}

/** Returns the titles of a company's sends, oldest first. */
export const listTitles = async ({ owner }: Company) =>
  (await listSends(owner, { limit: 100 })).sends.map(({ title }) => title).reverse();

const days = { weekdays: [], monthDay: null, startsOn: '2026-01-01', endsOn: null };
export const daily: Schedule = { every: 'day', time: '08:00', ...days };
