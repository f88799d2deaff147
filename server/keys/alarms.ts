import { byId, db, findRow, matches, type Rows, requireRow, type Transaction, updateRows } from '#db/client.ts';
import { withOwner } from '#db/company-row.ts';
import { type AnyPgColumn, alias, and, eq, isNotNull, isNull, sql } from '#db/drizzle.cjs';
import { accounts, alarms, apiKeys, companies, ownerDevices } from '#db/schema/tables.ts';
import { changeSettings, findSettings, recordAudit } from '#server/audit/record.ts';
import { isValidKey, k } from '#server/keys/keys.ts';
import { isToEveryone } from '#server/notifications/audience.ts';
import type { Owner } from '#server/principals.ts';

// No sender and no company sends more in a minute, so older sends need not be read.
const maxSendsPerMinute = 60;
const maxNumbersPerMinute = 5000;

export type AlarmSource = { keyId: number } | { accountId: number };

/**
 * Something an owner should check now, about a key or person. `repeated-broadcast`: they sent `title` to everyone
 * `count` times within a minute, the last time at `at`; `standing` are not withdrawn. `silent-key`: the last send was
 * at `at` (null: none), one is expected every `everyMinutes`. `denied-requests`: within an hour they asked `count`
 * times for what they may not, the last time for `title`. `links-changed`: another owner let the links of all
 * notifications lead to `title` (empty: nowhere).
 */
export type Alarm = { source: AlarmSource; name: string } & (
  | { kind: 'repeated-broadcast'; title: string; count: number; standing: number; at: Date }
  | { kind: 'silent-key'; everyMinutes: number; at: Date | null }
  | { kind: 'denied-requests'; title: string; count: number; at: Date }
  | { kind: 'links-changed'; title: string; at: Date }
);

/** What identifies an alarm on the devices of owners. */
export const alarmTag = (kind: Alarm['kind'], source: AlarmSource): string =>
  `alarm-${kind}-${'keyId' in source ? source.keyId : `account-${source.accountId}`}`;

/** The alarms under the name that statements in text give them. */
export const a = alias(alarms, 'a');

export const isAbout = (source: AlarmSource, alarm: { keyId: AnyPgColumn; accountId: AnyPgColumn } = alarms) =>
  'keyId' in source ? eq(alarm.keyId, source.keyId) : eq(alarm.accountId, source.accountId);

/** A key or person that has just sent to everyone. */
export type Broadcaster = { companyId: number } & AlarmSource;

/** Raises or updates an alarm for each of these keys, or people, that repeats a text since the last dismissal. */
export async function raiseRepeats(broadcasters: Broadcaster[]): Promise<void> {
  const [first] = broadcasters;
  if (!first) return;
  const sender = 'keyId' in first ? sql`key_id` : sql`account_id`;
  // As text: the builder has no list of JSON, and no conflict of a partial index over one of two columns.
  await db().execute(sql`
    insert into alarms as open (company_id, kind, ${sender}, details)
    select c.id, 'repeated-broadcast', b.id, jsonb_build_object('title', repeated.title, 'count', repeated.count)
    from (
      select "companyId", coalesce("keyId", "accountId") as id
      from jsonb_to_recordset(${JSON.stringify(broadcasters)}::text::jsonb) as b ("companyId" int, "keyId" int, "accountId" int)
    ) b
    join companies c on c.id = b."companyId" and c.warn_of_repeats
    cross join lateral (
      select max(dismissed_at) as at from alarms
      where company_id = c.id and kind = 'repeated-broadcast' and ${sender} = b.id
    ) dismissed
    cross join lateral (
      select title, count(*)::int as count
      from (
        select title, body, recipient_id, is_listed, created_at from notifications
        where company_id = c.id and ${sender} = b.id and no > c.last_no - ${maxNumbersPerMinute}
        order by no desc limit ${maxSendsPerMinute}
      ) n
      where ${isToEveryone} and created_at > now() - interval '60 s'
        and created_at > coalesce(dismissed.at, '-infinity')
      group by title, body having count(*) >= 5
      order by count(*) desc limit 1
    ) repeated
    order by c.id, b.id
    on conflict (company_id, kind, ${sender}) where dismissed_at is null do update set
      last_at = now(),
      details = jsonb_build_object('title', excluded.details->>'title',
        'count', greatest((open.details->>'count')::int, (excluded.details->>'count')::int))`);
}

/** How many of the newest sends of a key, or broadcasts of people, are searched for those of an alarm. */
const maxRepeats = 300;

/** A condition on a send `n` of the sender of an alarm `a`: the alarm is about it, and it is not withdrawn. */
export const isRepeat = sql`
  ${isToEveryone} and n.withdrawn_at is null and n.title = a.details->>'title'
  and n.created_at > a.at - interval '60 s'`;

/** The newest sends of the sender of an alarm `a`, as the rows of `n`. */
export const newestOfSender = sql`
  ((select no, recipient_id, is_listed, withdrawn_at, title, created_at from notifications
    where company_id = a.company_id and key_id = a.key_id order by no desc limit ${maxRepeats})
  union all
  select no, recipient_id, is_listed, withdrawn_at, title, created_at from (
    select * from notifications n
    where n.company_id = a.company_id and ${isToEveryone} and a.account_id is not null
    order by no desc limit ${maxRepeats}
  ) broadcast where broadcast.account_id = a.account_id) n`;

/** How many sends an alarm `a` is about that are not withdrawn. */
const countRepeats = sql`select count(*)::int from ${newestOfSender} where ${isRepeat}`;

// The key or the person of an alarm `a`. Those of a revoked key have ended.
const joinSource = sql`
  left join api_keys k on k.company_id = a.company_id and k.id = a.key_id
  left join accounts p on p.company_id = a.company_id and p.id = a.account_id`;
const isStanding = sql`a.dismissed_at is null and k.revoked_at is null`;
const sourceColumns = sql`
  case when a.key_id is null then jsonb_build_object('accountId', a.account_id)
    else jsonb_build_object('keyId', a.key_id) end as source, coalesce(k.name, p.name) as name`;

/** The open alarms of the kinds that are switched on. A revoked key has none; an expired key is not silent. */
export async function listAlarms(owner: Owner): Promise<Alarm[]> {
  // As text: two reports in one list.
  return db().execute<Alarm>(sql`
    with c as (select id, warn_of_repeats, warn_of_silence from companies where id = ${owner.companyId})
    select a.kind, ${sourceColumns}, a.last_at as at, a.details->>'title' as title,
      (a.details->>'count')::int as count, (${countRepeats}) as standing, null::int as "everyMinutes"
    from c join alarms a on a.company_id = c.id ${joinSource}
    where ${isStanding} and (c.warn_of_repeats or a.kind <> 'repeated-broadcast')
      and (a.kind <> 'links-changed' or a.account_id <> ${owner.accountId})
    union all
    select 'silent-key', jsonb_build_object('keyId', k.id), k.name, last.at, null, null, null, k.expected_every_minutes
    from c join api_keys k on k.company_id = c.id and ${isValidKey(k)} and k.expected_every_minutes is not null
    left join lateral (
      select created_at as at from notifications where company_id = c.id and key_id = k.id order by no desc limit 1
    ) last on true
    where c.warn_of_silence
      and greatest(last.at, k.expected_since) < now() - k.expected_every_minutes * interval '1 minute'
    order by 3`);
}

/** Dismisses an alarm. Five more sends, or another expected time without one, raise a new one. */
export async function dismissAlarm(owner: Owner, kind: Alarm['kind'], source: AlarmSource) {
  return withOwner(owner, async (tx) => {
    const dismissed = await (kind === 'silent-key'
      ? dismissSilence(tx, owner, source)
      : dismissOpen(tx, owner, source, kind));
    if (!dismissed) return 'no-such-alarm';
    // Devices that have not received the alarm yet do not get it.
    const tag = alarmTag(kind, source);
    const { companyId } = owner;
    const left = { pending: sql`${ownerDevices.pending} - ${tag}::text` };
    await updateRows(db(tx), ownerDevices, { companyId }, left, sql`jsonb_exists(${ownerDevices.pending}, ${tag})`);
    await recordAudit(tx, owner, 'alarm.dismiss', { ...source, name: dismissed.name, kind });
    return 'dismissed';
  });
}

async function dismissSilence(tx: Transaction, { companyId }: Owner, source: AlarmSource) {
  const isKey = eq(apiKeys.id, 'keyId' in source ? source.keyId : 0);
  return findRow(
    db(tx)
      .update(apiKeys)
      .set({ expectedSince: sql`now()` })
      .where(and(eq(apiKeys.companyId, companyId), isKey, isNotNull(apiKeys.expectedEveryMinutes)))
      .returning({ name: apiKeys.name }),
  );
}

async function dismissOpen(tx: Transaction, { companyId }: Owner, source: AlarmSource, kind: Alarm['kind']) {
  const isOpen = and(isAbout(source), matches(alarms, { kind, dismissedAt: null }));
  const isKey = byId(apiKeys, { companyId }, alarms.keyId);
  const isAccount = byId(accounts, { companyId }, alarms.accountId);
  const keyName = db(tx).select({ name: apiKeys.name }).from(apiKeys).where(isKey);
  const accountName = db(tx).select({ name: accounts.name }).from(accounts).where(isAccount);
  return findRow(
    db(tx)
      .update(alarms)
      .set({ dismissedAt: sql`now()` })
      .where(and(eq(alarms.companyId, companyId), isOpen))
      .returning({ name: sql<string>`coalesce(${keyName}, ${accountName})` }),
  );
}

/** The number of open alarms of all companies, for the metrics. Those about silent keys are not stored. */
export async function countOpenAlarms(): Promise<Record<'repeated-broadcast' | 'denied-requests', number>> {
  const { kind } = alarms;
  const isRepeated = sql`${kind} = 'repeated-broadcast' and ${companies.warnOfRepeats}`;
  return requireRow(
    db()
      .select({
        'repeated-broadcast': sql<number>`count(*) filter (where ${isRepeated})`,
        'denied-requests': sql<number>`count(*) filter (where ${kind} = 'denied-requests')`,
      })
      .from(alarms)
      .innerJoin(companies, eq(companies.id, alarms.companyId))
      .leftJoin(apiKeys, byId(apiKeys, alarms, alarms.keyId))
      .where(and(isNull(alarms.dismissedAt), isNull(apiKeys.revokedAt))),
  );
}

export type AlarmSettings = Pick<Rows['companies'], 'warnOfRepeats' | 'warnOfSilence'>;

export const findAlarmSettings = (owner: Owner): Promise<AlarmSettings> =>
  findSettings(owner, ['warnOfRepeats', 'warnOfSilence']);

/** Switches alarms on or off. Returns the settings afterwards. */
export async function changeAlarmSettings(owner: Owner, changes: Partial<AlarmSettings>): Promise<AlarmSettings> {
  const settings = { ...(await findAlarmSettings(owner)), ...changes };
  await changeSettings(owner, settings, async (tx) => {
    if (!changes.warnOfSilence) return;
    const { companyId } = owner;
    await updateRows(db(tx), apiKeys, { companyId }, { silenceCheckAt: null }, isNotNull(apiKeys.expectedEveryMinutes));
  });
  return settings;
}

// Few at a time: a send by a key waits while its row is locked.
const maxTaken = 50;

/** An alarm that the owners' devices get now. `count` is the number of repeats; with `isMore` there are more. */
export type AlarmToPush = { companyId: number; source: AlarmSource; name: string } & (
  | { kind: 'repeated-broadcast'; count: number; isMore: boolean }
  | { kind: 'silent-key' }
);

/** Takes the alarms about repeats that opened, or grew after an hour, and have a device; one process gets each. */
export async function takeRepeatsToPush(tx: Transaction): Promise<AlarmToPush[]> {
  // As text: the count reads a union of laterals.
  const taken = await db(tx).execute<{ companyId: number; source: AlarmSource; name: string; count: number }>(sql`
    with due as (
      select a.company_id, a.id, ${sourceColumns} from alarms a
      join companies c on c.id = a.company_id and c.warn_of_repeats ${joinSource}
      where ${isStanding} and a.kind = 'repeated-broadcast' and (a.pushed_at is null or a.last_at > a.pushed_at)
        and a.last_at > now() - interval '1 day'
        and (a.pushed_at is null or a.pushed_at <= now() - interval '1 hour')
        and exists (select from owner_devices d where d.company_id = a.company_id)
      order by a.last_at limit ${maxTaken} for update of a skip locked
    )
    update alarms a set pushed_at = now() from due
    where a.company_id = due.company_id and a.id = due.id
    returning a.company_id as "companyId", due.source, due.name,
      greatest((a.details->>'count')::int, (${countRepeats})) as count`);
  return taken.map((alarm) => ({ ...alarm, kind: 'repeated-broadcast', isMore: alarm.count >= maxRepeats }));
}

/**
 * Checks up to 50 keys whose time for it has come, and returns those that fell silent, each once to one process.
 * `isAll`: no further key is due. A key is checked again when it would fall silent, a silent one after an interval.
 */
export async function takeSilencesToPush(tx: Transaction): Promise<{ silent: AlarmToPush[]; isAll: boolean }> {
  // As text: the builder takes three times the lines for these steps.
  const checked = await db(tx).execute<{ companyId: number; keyId: number; name: string; isNew: boolean }>(sql`
    with due as (
      select k.company_id, k.id, k.silent_since, k.expected_since, ${isValidKey(k)} as is_valid,
        k.expected_every_minutes * interval '1 minute' as allowed
      from api_keys k
      where k.expected_every_minutes is not null and k.revoked_at is null
        and (k.silence_check_at is null or k.silence_check_at <= now())
      order by k.silence_check_at nulls first limit ${maxTaken} for no key update skip locked
    ), checked as (
      select due.*, greatest(last.at, due.expected_since) as since,
        c.warn_of_silence and due.is_valid and greatest(last.at, due.expected_since) + due.allowed < now() as is_silent
      from due join companies c on c.id = due.company_id
      left join lateral (
        select created_at as at from notifications where company_id = due.company_id and key_id = due.id
        order by no desc limit 1
      ) last on true
    )
    update api_keys k set
      silence_check_at = case
        when checked.since + checked.allowed + interval '1 s' > now() then checked.since + checked.allowed + interval '1 s'
        else now() + checked.allowed end,
      silent_since = case when checked.is_silent then checked.since else k.silent_since end
    from checked where k.company_id = checked.company_id and k.id = checked.id
    returning k.company_id as "companyId", k.id as "keyId", k.name,
      checked.is_silent and checked.silent_since is distinct from checked.since as "isNew"`);
  const silent = checked.flatMap(({ isNew, companyId, keyId, name }) =>
    isNew ? [{ companyId, source: { keyId }, name, kind: 'silent-key' as const }] : [],
  );
  return { silent, isAll: checked.length < maxTaken };
}
