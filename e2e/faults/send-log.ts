import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type AnySql, insertCompanies, type SeededCompany } from '#e2e/support/data/seeded.ts';
import { type LineAnswer, openLine } from '#e2e/support/http/line.ts';

const path = '/api/v1/notif.php';

export type { SeededCompany };

/** A notification to send once: all attempts use the same body and Idempotency-Key. */
export type PlannedSend = {
  company: SeededCompany;
  key: string;
  title: string;
  onceKey: string;
  broadcast: boolean;
  answers: { status: number; code: string | null; reach: number | null; replayed: boolean; ms: number; at: number }[];
};

/** Records all sends and their answers, to compare them with the database. */
export class SendLog {
  readonly plannedSends: PlannedSend[] = [];
  private turn = 0;

  /** Plans a send of the next company with the next of its keys. */
  plan(companies: SeededCompany[], prefix = 'Kabar'): PlannedSend {
    const turn = this.turn++;
    const company = companies[turn % companies.length];
    if (!company) throw new Error('no company');
    const key = company.keys[Math.floor(turn / companies.length) % company.keys.length] ?? '';
    const broadcast = Math.random() < 0.5;
    const title = `${prefix} ${turn} ${randomUUID()}`;
    const planned = { company, key, title, onceKey: randomUUID(), broadcast, answers: [] };
    this.plannedSends.push(planned);
    return planned;
  }

  /** Makes one attempt and records the answer; status 0 means that there was none. */
  async attempt(url: string, planned: PlannedSend, line = openLine(url, false)) {
    const { company, key, title, onceKey, broadcast } = planned;
    const body = JSON.stringify({ judul: title, isi: 'Isi', ...(broadcast ? {} : { user_id: company.employeeId }) });
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': onceKey };
    const began = performance.now();
    const answer = read(await line.ask(path, { method: 'POST', headers, body }));
    const recorded = { ...answer, ms: performance.now() - began, at: performance.now() };
    planned.answers.push(recorded);
    return recorded;
  }

  /** Expects that the database, once it is idle, has what was answered: nothing more, less, twice or in part. */
  async expectWhole(sql: AnySql): Promise<{ answered: number }> {
    await waitUntilIdle(sql);
    const { answered, ...errors } = await this.verify(sql);
    expect(errors).toEqual({ lost: 0, doubled: 0, half: 0, storedThoughRefused: 0, otherReach: 0 });
    return { answered };
  }

  // `lost`: answered 200, not stored; `half`: stored in part.
  private async verify(sql: AnySql) {
    const stored = new Map<string, { count: number; reach: number }>();
    const ids = [...new Set(this.plannedSends.map(({ company }) => company.id))];
    const rows = await sql<{ title: string; count: number; reach: number }[]>`
      select title, count(*)::int as count, max(reach) as reach from notifications
      where company_id = any(${ids}::int[]) group by company_id, title`;
    for (const { title, ...row } of rows) stored.set(title, row);
    const having = (test: (planned: PlannedSend, row: { count: number; reach: number } | undefined) => boolean) =>
      this.plannedSends.filter((planned) => test(planned, stored.get(planned.title))).length;
    const isAnswered = ({ answers }: PlannedSend) => answers.some(({ status }) => status === 200);
    const mayBeStored = ({ answers }: PlannedSend) =>
      answers.some(({ status, code }) => status === 200 || status === 0 || code === 'unavailable_uncertain');
    return {
      answered: having(isAnswered),
      lost: having((planned, row) => isAnswered(planned) && !row),
      doubled: having((_, row) => (row?.count ?? 0) > 1),
      half: await countHalves(sql, ids),
      storedThoughRefused: having((planned, row) => row !== undefined && !mayBeStored(planned)),
      otherReach: having((planned, row) => row !== undefined && !tellsReach(planned, row.reach)),
    };
  }
}

function read({ status, headers, text }: LineAnswer) {
  const told: { code?: string; terkirim?: number } = status === 0 ? {} : JSON.parse(text);
  const replayed = headers['idempotent-replayed'] === 'true';
  return { status, code: told.code ?? null, reach: told.terkirim ?? null, replayed };
}

function tellsReach({ company, broadcast, answers }: PlannedSend, reach: number): boolean {
  if (reach !== (broadcast ? company.employees : 1)) return false;
  return answers.every((answer) => answer.reach === null || answer.reach === reach);
}

/** Waits up to 15 s until no statement of the service runs any more. */
export async function waitUntilIdle(sql: AnySql): Promise<void> {
  const running = async () => {
    const rows = await sql<{ query: string }[]>`
      select query from pg_stat_activity where application_name like 'staff-notification-api %' and state <> 'idle'
        and pid <> pg_backend_pid()`;
    return rows.map(({ query }) => query);
  };
  await expect.poll(running, { timeout: 15_000, interval: 50 }).toEqual([]);
}

// A whole send has an entry, an answer and a number; a number may lack its send, whose key was revoked.
async function countHalves(sql: AnySql, ids: number[]): Promise<number> {
  const [row] = await sql<{ halves: number }[]>`
    with n as (select * from notifications where company_id = any(${ids}::int[])),
      a as (
        select company_id, (details->>'no')::bigint as no, (details->>'reach')::int as reach, details->>'title' as title
        from audit_log where company_id = any(${ids}::int[]) and action = 'notification.send'
      )
    select (
      (select count(*) from n full join a using (company_id, no)
        where n.title is null or a.title is null or n.title <> a.title or n.reach <> a.reach)
      + (select count(*) from companies c where c.id = any(${ids}::int[])
        and c.last_no < coalesce((select max(no) from n where n.company_id = c.id), 0))
      + (select abs((select count(*) from n) - (select count(*) from idempotency where company_id = any(${ids}::int[]))))
    )::int as halves`;
  return row?.halves ?? -1;
}

export async function seedCompany(sql: AnySql, counts: { employees?: number; keys?: number }): Promise<SeededCompany> {
  const [made] = await insertCompanies(sql, counts);
  if (!made) throw new Error('the company was not made');
  return made;
}
