import type { Transaction } from '#db/client.ts';
import { countRepeats, maxRepeats } from '#server/keys/alarms.ts';
import { isValidKey } from '#server/keys/validity.ts';

// Few at a time: a send by a key waits while its row is locked.
const maxTaken = 50;

/** How often the devices of a company get one alarm at most, in minutes. */
export const minutesBetweenPushes = 60;

/** An alarm about a key that the owners' devices get now. `count` is the number of repeats. */
export type KeyAlarmToPush = { companyId: number; keyId: number; keyName: string } & (
  | { kind: 'repeated-broadcast'; count: number; isMore: boolean }
  | { kind: 'silent-key' }
);

/**
 * Takes the alarms about repeated texts that opened, or grew after an hour. Of any number of
 * processes that ask at once, one gets each. Alarms of companies without an owner's device stay.
 * `isMore`: there were at least `count` repeats.
 */
export async function takeRepeatsToPush(tx: Transaction): Promise<KeyAlarmToPush[]> {
  const taken = await tx<{ companyId: number; keyId: number; keyName: string; count: number }[]>`
    with due as (
      select a.company_id, a.id, k.name from alarms a
      join companies c on c.id = a.company_id and c.warn_of_repeats
      join api_keys k on k.company_id = a.company_id and k.id = a.key_id and k.revoked_at is null
      where a.dismissed_at is null and (a.pushed_at is null or a.last_at > a.pushed_at)
        and a.last_at > now() - interval '1 day'
        and (a.pushed_at is null or a.pushed_at <= now() - ${minutesBetweenPushes} * interval '1 minute')
        and exists (select from owner_devices d where d.company_id = a.company_id)
      order by a.last_at limit ${maxTaken} for update of a skip locked
    )
    update alarms a set pushed_at = now() from due
    where a.company_id = due.company_id and a.id = due.id
    returning a.company_id as "companyId", a.key_id as "keyId", due.name as "keyName",
      greatest((a.details->>'count')::int, (${countRepeats()})) as count`;
  return taken.map((alarm) => ({ ...alarm, kind: 'repeated-broadcast', isMore: alarm.count >= maxRepeats }));
}

/**
 * Checks up to 50 keys whose time for it has come, and returns those that fell silent. Each silence
 * is returned once, to one of the processes that ask. `isAll`: no further key is due.
 *
 * The next check of a key is when it falls silent unless it sends, or one interval from now when it
 * is silent already: after its next send it can fall silent no earlier. So no silence is missed, and
 * no company is read whose keys are not due.
 */
export async function takeSilencesToPush(tx: Transaction): Promise<{ silent: KeyAlarmToPush[]; isAll: boolean }> {
  const checked = await checkSilences(tx);
  const silent = checked.flatMap(({ isNew, ...key }) => (isNew ? [{ ...key, kind: 'silent-key' as const }] : []));
  return { silent, isAll: checked.length < maxTaken };
}

type CheckedKey = { companyId: number; keyId: number; keyName: string; isNew: boolean };

async function checkSilences(tx: Transaction): Promise<CheckedKey[]> {
  return tx<CheckedKey[]>`
    with due as (
      select k.company_id, k.id, k.silent_since, k.expected_since, ${isValidKey()} as is_valid,
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
    returning k.company_id as "companyId", k.id as "keyId", k.name as "keyName",
      checked.is_silent and checked.silent_since is distinct from checked.since as "isNew"`;
}
