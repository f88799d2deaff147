import { hasRows, sql, type Transaction } from '#db/client.ts';
import { asOwner } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { fallbackLanguage, type Language, languages } from '#platform/language.ts';
import { describeBrowser } from '#server/accounts/sessions/browser-name.ts';
import { sessionEnd } from '#server/accounts/sessions/idle.ts';
import type { GuessingToPush } from '#server/accounts/sign-in/failed-sign-ins.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type AlarmToPush, alarmTag } from '#server/keys/alarms.ts';
import type { Owner, Session } from '#server/principals.ts';
import { type Delivery, deliver, hashOf, isPushService, type Subscription, subscribe } from '#server/push/deliver.ts';
import { browserTexts, fillIn } from '#server/service-texts.ts';

export type OwnerSession = Pick<Session, 'sessionId'> & { owner: Owner };

/**
 * A device on which an owner gets the alarms. `client` is the User-Agent header of its session.
 * `isHere`: the session that asks subscribed it.
 */
type OwnerDevice = {
  id: string;
  client: Rows['sessions']['client'];
  since: Rows['ownerDevices']['createdAt'];
  isHere: boolean;
};

/**
 * Subscribes this browser to the alarms of the owner's company. `why`: `'asked'` by the owner,
 * which is audited, or `'renewed'` after a new sign-in in a browser that was subscribed before.
 */
export async function addOwnerDevice(
  { owner, sessionId }: OwnerSession,
  subscription: Subscription,
  why: 'asked' | 'renewed',
): Promise<'added' | 'unknown-service' | 'session-ended'> {
  if (!isPushService(subscription.endpoint)) return 'unknown-service';
  const { companyId, accountId } = owner;
  return asOwner(owner, async (tx) => {
    const device = { table: 'owner_devices', column: 'account_id', id: accountId } as const;
    const session = await subscribe(tx, { companyId, sessionId }, device, subscription);
    if (session === 'session-ended') return session;
    if (why === 'asked') await recordAudit(tx, owner, 'alarm.add-device', { client: describeBrowser(session.client) });
    return 'added';
  });
}

export async function listOwnerDevices({ owner, sessionId }: OwnerSession): Promise<OwnerDevice[]> {
  const { companyId, accountId } = owner;
  return sql()<OwnerDevice[]>`
    select encode(d.endpoint_hash, 'hex') as id, s.client, d.created_at as since, s.id = ${sessionId} as "isHere"
    from owner_devices d join sessions s on s.company_id = d.company_id and s.id = d.session_id
    where d.company_id = ${companyId} and d.account_id = ${accountId} and s.expires_at > now()
    order by d.created_at desc, id`;
}

export async function hasOwnerDevice({ companyId, accountId }: Owner): Promise<boolean> {
  return hasRows(sql()`
    select from owner_devices d join sessions s on s.company_id = d.company_id and s.id = d.session_id
    where d.company_id = ${companyId} and d.account_id = ${accountId} and s.expires_at > now() limit 1`);
}

export async function removeOwnerDevice(owner: Owner, id: string): Promise<'removed' | 'no-such-device'> {
  const { companyId, accountId } = owner;
  return asOwner(owner, async (tx) => {
    const [removed] = await tx<Pick<Rows['sessions'], 'client'>[]>`
      delete from owner_devices d using sessions s
      where d.company_id = ${companyId} and d.account_id = ${accountId} and d.endpoint_hash = decode(${id}, 'hex')
        and s.company_id = ${companyId} and s.id = d.session_id
      returning s.client`;
    if (!removed) return 'no-such-device';
    await recordAudit(tx, owner, 'alarm.remove-device', { client: describeBrowser(removed.client) });
    return 'removed';
  });
}

type AlarmDevice = Subscription & Pick<Owner, 'companyId'>;

// Owners only, and only while the session of the device lasts.
const joinOwners = () => sql()`
  join accounts a on a.company_id = d.company_id and a.id = d.account_id and a.is_owner
  join companies c on c.id = d.company_id
  join sessions s on s.company_id = d.company_id and s.id = d.session_id
    and s.account_id = d.account_id and ${sessionEnd()} > now()`;

/** A message about an alarm that waits for one device. */
export type PendingAlarm = AlarmDevice & { tag: string; payload: string };

// Longer than all attempts of a delivery.
const firstRetryMinutes = 5;
const maxRetryMinutes = 60;
const maxRetries = 6;
const maxTaken = 50;

/**
 * Stores an alarm for the devices of all owners of its company, until their push services have
 * accepted it. `tx` is the transaction that takes the alarm, so it is never lost. A message with
 * the same tag that waits is replaced.
 */
export async function addPending(
  tx: Transaction,
  alarm: DeviceAlarm & Pick<Owner, 'companyId'>,
): Promise<PendingAlarm[]> {
  const tag = tagOf(alarm);
  const payloads = Object.fromEntries(languages.map((language) => [language, asAlarmPayload(alarm, language)]));
  return tx<PendingAlarm[]>`
    update owner_devices waits set retries = 0, retry_at = now() + ${firstRetryMinutes} * interval '1 minute',
      pending = waits.pending || jsonb_build_object(${tag}::text,
        ${JSON.stringify(payloads)}::text::jsonb->coalesce(a.language, ${fallbackLanguage.person}))
    from owner_devices d ${joinOwners()}
    where waits.company_id = ${alarm.companyId} and d.company_id = waits.company_id and d.endpoint_hash = waits.endpoint_hash
    returning waits.company_id as "companyId", waits.endpoint, waits.p256dh, waits.auth,
      ${tag}::text as tag, waits.pending->>${tag}::text as payload`;
}

/**
 * Takes the messages whose push services did not accept them, or whose process died. Each goes to
 * one of the processes that ask at once. A device is tried again after 5, 10, 20, 40, 60 and 60
 * minutes; then what waits for it is forgotten.
 */
export async function takePending(): Promise<PendingAlarm[]> {
  const devices = await sql()<(AlarmDevice & { pending: Record<string, string> })[]>`
    with due as (
      select company_id, endpoint_hash from owner_devices where retry_at <= now()
      order by retry_at limit ${maxTaken} for update skip locked
    )
    update owner_devices d set retries = d.retries + 1,
      pending = case when d.retries < ${maxRetries} then d.pending else '{}' end,
      retry_at = case when d.retries < ${maxRetries} and d.pending <> '{}' then now() + interval '1 minute'
        * least(${maxRetryMinutes}, ${firstRetryMinutes} * power(2, d.retries + 1)) end
    from due where d.company_id = due.company_id and d.endpoint_hash = due.endpoint_hash
    returning d.company_id as "companyId", d.endpoint, d.p256dh, d.auth, d.pending`;
  return devices.flatMap(({ pending, ...device }) =>
    Object.entries(pending).map(([tag, payload]) => ({ ...device, tag, payload })),
  );
}

/** Posts a message if it is still pending. It stays pending when its push service is busy. */
export async function deliverPending(message: PendingAlarm): Promise<void> {
  const { companyId, endpoint, tag, payload } = message;
  const renew = async () => {
    const rows = await sql()`
      select from owner_devices d ${joinOwners()}
      where d.company_id = ${companyId} and d.endpoint_hash = ${hashOf(endpoint)} and d.pending->>${tag}::text = ${payload}`;
    return rows.length > 0 ? payload : null;
  };
  const outcome = (await renew()) ? await deliverToOwner(message, payload, { renew }) : 'ended';
  if (outcome === 'later' || outcome === 'dropped') return;
  await sql()`
    update owner_devices set pending = pending - ${tag}::text,
      retry_at = case when pending - ${tag}::text <> '{}' then retry_at end
    where company_id = ${companyId} and endpoint_hash = ${hashOf(endpoint)} and pending->>${tag}::text = ${payload}`;
}

// Deletes the device when its subscription has ended.
function deliverToOwner(
  device: AlarmDevice,
  payload: string,
  { renew, attempts }: { renew: () => Promise<string | null>; attempts?: number },
): Promise<Delivery> {
  const { companyId, endpoint } = device;
  const forget = () => sql()`
    delete from owner_devices where company_id = ${companyId} and endpoint_hash = ${hashOf(endpoint)}`;
  return deliver(device, payload, { renew, forget }, attempts);
}

/** Sends a test to one of this owner's devices, once, and waits for the answer of its push service. */
export async function testOwnerDevice(owner: Owner, id: string): Promise<Delivery | 'no-such-device'> {
  const { companyId, accountId } = owner;
  const [device] = await sql()<(AlarmDevice & { language: Language | null })[]>`
    select d.company_id as "companyId", d.endpoint, d.p256dh, d.auth, a.language
    from owner_devices d ${joinOwners()}
    where d.company_id = ${companyId} and d.account_id = ${accountId} and d.endpoint_hash = decode(${id}, 'hex')`;
  if (!device) return 'no-such-device';
  const payload = asAlarmPayload({ kind: 'test' }, device.language ?? fallbackLanguage.person);
  return deliverToOwner(device, payload, { renew: async () => payload, attempts: 1 });
}

/** What a device is told: an alarm, or that a test arrived. */
export type DeviceAlarm = AlarmToPush | GuessingToPush | { kind: 'test' };

/** The payload for an owner's service worker. It replaces an earlier one with the same `tag`. */
export type AlarmPayload = { alarm: DeviceAlarm['kind']; tag: string; title: string; body: string; language: string };

const tagOf = (alarm: DeviceAlarm): string =>
  'source' in alarm ? alarmTag(alarm.kind, alarm.source) : `alarm-${alarm.kind}`;

/**
 * The message of an alarm for a device, in the language of its owner's account. It names keys,
 * never the text of a notification or an account: a locked screen shows it to everyone.
 */
function asAlarmPayload(alarm: DeviceAlarm, language: Language): string {
  const times = 'count' in alarm ? `${alarm.count}${alarm.isMore ? '+' : ''}` : '';
  const values: Record<string, unknown> = { ...alarm, times };
  const { title, body } = browserTexts[language].pushes[alarm.kind];
  const texts = { title: fillIn(title, values), body: fillIn(body, values) };
  const payload: AlarmPayload = { alarm: alarm.kind, tag: tagOf(alarm), ...texts, language };
  return JSON.stringify(payload);
}
