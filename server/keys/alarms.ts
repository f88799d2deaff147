import { and, eq, sql as expression, isNull } from 'drizzle-orm';
import { db, sql } from '#db/client.ts';
import { alarms, apiKeys, companies } from '#db/schema.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/** So many broadcasts of the same text by one key within a minute are shown to the owner. */
export const repeatsToWarnOf = 5;

/** More than a key may send in a minute: what was sent before those is older. */
const mostInAMinute = 60;

/**
 * Something an owner should look at now. `repeated-broadcast`: a key sent `title` to everyone `count` times within a minute,
 * lately at `at`. `silent-key`: no send since `at` (null: never) although one is expected every `everyMinutes`.
 */
export type Alarm = { keyId: number; keyName: string } & (
  | { kind: 'repeated-broadcast'; title: string; count: number; at: Date }
  | { kind: 'silent-key'; everyMinutes: number; at: Date | null }
);

/** A key that has just sent to everyone. */
export type Broadcaster = { companyId: number; keyId: number };

/**
 * Looks whether these keys repeat themselves, and raises an alarm for each that does; one that is open is brought up to date.
 * What was sent before an alarm was dismissed does not count again. Nothing is refused because of it.
 */
export async function raiseRepeats(broadcasters: Broadcaster[]): Promise<void> {
  if (broadcasters.length === 0) return;
  await sql()`
    insert into alarms as open (company_id, kind, key_id, details)
    select c.id, 'repeated-broadcast', b."keyId", jsonb_build_object('title', repeated.title, 'count', repeated.count)
    from jsonb_to_recordset(${JSON.stringify(broadcasters)}::text::jsonb) as b ("companyId" int, "keyId" int)
    join companies c on c.id = b."companyId" and c.warn_of_repeats
    cross join lateral (
      select max(dismissed_at) as at from alarms where company_id = c.id and key_id = b."keyId"
    ) dismissed
    cross join lateral (
      select title, count(*)::int as count
      from (
        select title, body, recipient_id, created_at from notifications
        where company_id = c.id and key_id = b."keyId" order by no desc limit ${mostInAMinute}
      ) sent
      where recipient_id is null and created_at > now() - interval '60 s'
        and created_at > coalesce(dismissed.at, '-infinity')
      group by title, body having count(*) >= ${repeatsToWarnOf}
      order by count(*) desc limit 1
    ) repeated
    order by c.id, b."keyId"
    on conflict (company_id, kind, key_id) where dismissed_at is null do update set
      last_at = now(),
      details = jsonb_build_object('title', excluded.details->>'title',
        'count', greatest((open.details->>'count')::int, (excluded.details->>'count')::int))`;
}

type Row = { kind: Alarm['kind']; keyId: number; keyName: string; at: Date | null } & {
  title: string | null;
  count: number | null;
  everyMinutes: number | null;
};

/** What the owner should look at now, of the kinds they did not switch off; keys that are revoked alarm nobody. */
export async function listAlarms(owner: Owner): Promise<Alarm[]> {
  const rows = await sql()<Row[]>`
    with c as (select id, warn_of_repeats, warn_of_silence from companies where id = ${owner.companyId})
    select a.kind, k.id as "keyId", k.name as "keyName", a.last_at as at, a.details->>'title' as title,
      (a.details->>'count')::int as count, null::int as "everyMinutes"
    from c join alarms a on a.company_id = c.id and a.dismissed_at is null
    join api_keys k on k.company_id = c.id and k.id = a.key_id and k.revoked_at is null
    where c.warn_of_repeats
    union all
    select 'silent-key', k.id, k.name, last.at, null, null, k.expected_every_minutes
    from c join api_keys k on k.company_id = c.id and k.revoked_at is null and k.expected_every_minutes is not null
    left join lateral (
      select created_at as at from notifications where company_id = c.id and key_id = k.id order by no desc limit 1
    ) last on true
    where c.warn_of_silence
      and greatest(last.at, k.expected_since) < now() - k.expected_every_minutes * interval '1 minute'
    order by 2`;
  return rows.map(({ keyId, keyName, ...row }) => ({ keyId, keyName, ...asKind(row) }));
}

function asKind({ kind, title, count, everyMinutes, at }: Omit<Row, 'keyId' | 'keyName'>) {
  return kind === 'silent-key'
    ? { kind, everyMinutes: everyMinutes ?? 0, at }
    : { kind, title: title ?? '', count: count ?? 0, at: at ?? new Date(0) };
}

/**
 * Puts an alarm away. A repeated text alarms again when it is sent five more times; a silent key when the time in which a send
 * is expected passes once more without one.
 */
export async function dismissAlarm(
  owner: Owner,
  kind: Alarm['kind'],
  keyId: number,
): Promise<'dismissed' | 'no-such-alarm'> {
  return db().transaction(async (transaction) => {
    const mine = and(eq(apiKeys.companyId, owner.companyId), eq(apiKeys.id, keyId));
    const [key] = await transaction.select({ name: apiKeys.name }).from(apiKeys).where(mine);
    if (!key) return 'no-such-alarm';
    const now = expression`now()`;
    const changed =
      kind === 'silent-key'
        ? await transaction
            .update(apiKeys)
            .set({ expectedSince: now })
            .where(and(mine, expression`${apiKeys.expectedEveryMinutes} is not null`))
            .returning({ id: apiKeys.id })
        : await transaction
            .update(alarms)
            .set({ dismissedAt: now })
            .where(
              and(
                eq(alarms.companyId, owner.companyId),
                eq(alarms.keyId, keyId),
                eq(alarms.kind, kind),
                isNull(alarms.dismissedAt),
              ),
            )
            .returning({ id: alarms.id });
    if (changed.length === 0) return 'no-such-alarm';
    await recordAudit(transaction, owner, 'alarm.dismiss', { keyId, name: key.name, kind });
    return 'dismissed';
  });
}

/**
 * How many alarms owners have not dismissed, of all companies together; for whoever runs the service. A key that is silent shows on its
 * owner's pages only.
 */
export async function countOpenAlarms(): Promise<Record<'repeated-broadcast', number>> {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count from alarms a
    join api_keys k on k.company_id = a.company_id and k.id = a.key_id and k.revoked_at is null
    join companies c on c.id = a.company_id and c.warn_of_repeats
    where a.dismissed_at is null and a.kind = 'repeated-broadcast'`;
  return { 'repeated-broadcast': row?.count ?? 0 };
}

/** Which alarms the owner wants. */
export type AlarmSettings = { warnOfRepeats: boolean; warnOfSilence: boolean };

/** Which alarms are switched on. */
export async function findAlarmSettings(owner: Owner): Promise<AlarmSettings> {
  const { warnOfRepeats, warnOfSilence } = companies;
  const [found] = await db()
    .select({ warnOfRepeats, warnOfSilence })
    .from(companies)
    .where(eq(companies.id, owner.companyId));
  return found ?? { warnOfRepeats: true, warnOfSilence: true };
}

/** Switches alarms on or off, and answers which are on. */
export async function changeAlarmSettings(owner: Owner, changes: Partial<AlarmSettings>): Promise<AlarmSettings> {
  const before = await findAlarmSettings(owner);
  const changed = findChanges(before, { ...before, ...changes });
  if (!changed) return before;
  await db().transaction(async (transaction) => {
    await transaction.update(companies).set(changes).where(eq(companies.id, owner.companyId));
    await recordAudit(transaction, owner, 'company.edit', changed);
  });
  return findAlarmSettings(owner);
}
