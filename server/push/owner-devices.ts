import { byId, db, deleteRows, hasRows, matches, type Transaction, updateRows } from '#db/client.ts';
import { withOwner } from '#db/company-row.ts';
import { and, desc, eq, gt, lte, type SQL, sql } from '#db/drizzle.cjs';
import { accounts, companies, ownerDevices, sessions } from '#db/schema/tables.ts';
import { fallbackLanguage, type Language, languages } from '#platform/language.ts';
import { describeBrowser } from '#server/accounts/sessions/browser-name.ts';
import { ringEndOf } from '#server/accounts/sessions/sessions.ts';
import type { GuessingToPush } from '#server/accounts/sign-in/failed-sign-ins.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type AlarmToPush, alarmTag } from '#server/keys/alarms.ts';
import type { Owner, Session } from '#server/principals.ts';
import { type Delivery, deliver, hashOf, isPushService, type Subscription, subscribe } from '#server/push/deliver.ts';
import { browserTexts, fillIn } from '#server/service-texts.ts';

export type OwnerSession = Pick<Session, 'sessionId'> & { owner: Owner };

/** Subscribes this browser to the alarms of the company: `'asked'`, audited, or `'renewed'` by a new sign-in. */
export async function addOwnerDevice(
  { owner, sessionId }: OwnerSession,
  subscription: Subscription,
  why: 'asked' | 'renewed',
): Promise<'added' | 'unknown-service' | 'session-ended'> {
  if (!isPushService(subscription.endpoint)) return 'unknown-service';
  const { companyId, accountId } = owner;
  return withOwner(owner, async (tx) => {
    const session = await subscribe(tx, { companyId, sessionId }, { accountId }, subscription);
    if (session === 'session-ended') return session;
    if (why === 'asked') await recordAudit(tx, owner, 'alarm.add-device', { client: describeBrowser(session.client) });
    return 'added';
  });
}

const isOpen = gt(sessions.expiresAt, sql`now()`);

/** The devices on which an owner gets the alarms. `client`: User-Agent of the session. `isHere`: the one that asks. */
export async function listOwnerDevices({ owner, sessionId }: OwnerSession) {
  const { companyId, accountId } = owner;
  const id = sql<string>`encode(${ownerDevices.endpointHash}, 'hex')`;
  const isHere = sql<boolean>`${sessions.id} = ${sessionId}`;
  return db()
    .select({ id, client: sessions.client, since: ownerDevices.createdAt, isHere })
    .from(ownerDevices)
    .innerJoin(sessions, and(byId(sessions, { companyId }, ownerDevices.sessionId), isOpen))
    .where(matches(ownerDevices, { companyId, accountId }))
    .orderBy(desc(ownerDevices.createdAt), id);
}

export const hasOwnerDevice = async (owner: Owner): Promise<boolean> =>
  hasRows(listOwnerDevices({ owner, sessionId: 0 }));

export async function removeOwnerDevice(owner: Owner, id: string): Promise<'removed' | 'no-such-device'> {
  const { companyId, accountId } = owner;
  return withOwner(owner, async (tx) => {
    // As text: the builder has no `using`.
    const [removed] = await db(tx).execute<{ client: string }>(sql`
      delete from owner_devices d using sessions s
      where d.company_id = ${companyId} and d.account_id = ${accountId} and d.endpoint_hash = decode(${id}, 'hex')
        and s.company_id = ${companyId} and s.id = d.session_id
      returning s.client`);
    if (!removed) return 'no-such-device';
    await recordAudit(tx, owner, 'alarm.remove-device', { client: describeBrowser(removed.client) });
    return 'removed';
  });
}

type AlarmDevice = Subscription & Pick<Owner, 'companyId'>;

// Of owners only, and only while the session of the device rings.
function selectDevices(companyId: number, condition?: SQL) {
  const { accountId, sessionId, endpointHash, endpoint, p256dh, auth } = ownerDevices;
  const isOwner = and(eq(accounts.id, accountId), sql`${accounts.isOwner}`);
  const isSession = and(matches(sessions, { id: sessionId, accountId }), sql`${ringEndOf()} > now()`);
  return db()
    .select({ companyId: ownerDevices.companyId, endpointHash, endpoint, p256dh, auth, language: accounts.language })
    .from(ownerDevices)
    .innerJoin(accounts, and(eq(accounts.companyId, companyId), isOwner))
    .innerJoin(companies, eq(companies.id, companyId))
    .innerJoin(sessions, and(eq(sessions.companyId, companyId), isSession))
    .where(and(eq(ownerDevices.companyId, companyId), condition));
}

export type PendingAlarm = AlarmDevice & { tag: string; payload: string };

// Longer than all attempts of a delivery.
const firstRetryMinutes = 5;
const maxRetryMinutes = 60;
const maxRetries = 6;

/**
 * Stores an alarm for the devices of all owners until their push services accept it, in place of one with the same tag.
 * `tx` takes the alarm, so it is never lost.
 */
export async function addPending(tx: Transaction, alarm: DeviceAlarm & Pick<Owner, 'companyId'>) {
  const tag = tagOf(alarm);
  const payloads = Object.fromEntries(languages.map((language) => [language, asAlarmPayload(alarm, language)]));
  const { companyId, endpoint, p256dh, auth, pending } = ownerDevices;
  const device = db(tx).$with('device').as(selectDevices(alarm.companyId));
  const inLanguage = sql`${JSON.stringify(payloads)}::text::jsonb->coalesce(${device.language}, ${fallbackLanguage.person})`;
  const devices = await db(tx)
    .with(device)
    .update(ownerDevices)
    .set({
      retries: 0,
      retryAt: sql`now() + ${firstRetryMinutes} * interval '1 minute'`,
      pending: sql`${pending} || jsonb_build_object(${tag}::text, ${inLanguage})`,
    })
    .from(device)
    .where(matches(ownerDevices, { companyId: alarm.companyId, endpointHash: device.endpointHash }))
    .returning({ companyId, endpoint, p256dh, auth, payload: sql<string>`${pending}->>${tag}::text` });
  return devices.map((device) => ({ ...device, tag }));
}

/**
 * Takes the messages that push services did not accept, or whose process died; each goes to one process. A device is
 * tried again after 5, 10, 20, 40, 60 and 60 minutes.
 */
export async function takePending(): Promise<PendingAlarm[]> {
  const { companyId, endpointHash, endpoint, p256dh, auth, pending, retries, retryAt } = ownerDevices;
  const due = db()
    .$with('due')
    .as(
      db()
        .select({ companyId, endpointHash })
        .from(ownerDevices)
        .where(lte(retryAt, sql`now()`))
        .orderBy(retryAt)
        .limit(50)
        .for('update', { skipLocked: true }),
    );
  const minutes = sql`least(${maxRetryMinutes}, ${firstRetryMinutes} * power(2, ${retries} + 1))`;
  const devices = await db()
    .with(due)
    .update(ownerDevices)
    .set({
      retries: sql`${retries} + 1`,
      pending: sql`case when ${retries} < ${maxRetries} then ${pending} else '{}' end`,
      retryAt: sql`case when ${retries} < ${maxRetries} and ${pending} <> '{}' then now() + interval '1 minute' * ${minutes} end`,
    })
    .from(due)
    .where(and(eq(companyId, due.companyId), eq(endpointHash, due.endpointHash)))
    .returning({ companyId, endpoint, p256dh, auth, pending });
  return devices.flatMap(({ pending, ...device }) =>
    Object.entries(pending).map(([tag, payload]) => ({ ...device, tag, payload })),
  );
}

/** Posts a message if it is still pending. It stays pending when its push service is busy. */
export async function deliverPending(message: PendingAlarm): Promise<void> {
  const { companyId, endpoint, tag, payload } = message;
  const { pending, retryAt } = ownerDevices;
  const device = { companyId, endpointHash: hashOf(endpoint) };
  const isPending = sql`${pending}->>${tag}::text = ${payload}`;
  const renew = async () =>
    (await hasRows(selectDevices(companyId, and(matches(ownerDevices, device), isPending)))) ? payload : null;
  const outcome = (await renew()) ? await deliverToOwner(message, payload, { renew }) : 'ended';
  if (outcome === 'later' || outcome === 'dropped') return;
  const others = sql`${pending} - ${tag}::text`;
  const left = { pending: others, retryAt: sql`case when ${others} <> '{}' then ${retryAt} end` };
  await updateRows(db(), ownerDevices, device, left, isPending);
}

// Deletes the device when its subscription has ended.
function deliverToOwner(
  device: AlarmDevice,
  payload: string,
  { renew, attempts }: { renew: () => Promise<string | null>; attempts?: number },
): Promise<Delivery> {
  const { companyId, endpoint } = device;
  const forget = () => deleteRows(db(), ownerDevices, { companyId, endpointHash: hashOf(endpoint) });
  return deliver(device, payload, { renew, forget }, attempts);
}

/** Sends a test to one of this owner's devices, once, and waits for the answer of its push service. */
export async function testOwnerDevice(owner: Owner, id: string): Promise<Delivery | 'no-such-device'> {
  const { companyId, accountId } = owner;
  const isTheirs = and(eq(ownerDevices.accountId, accountId), sql`${ownerDevices.endpointHash} = decode(${id}, 'hex')`);
  const [device] = await selectDevices(companyId, isTheirs);
  if (!device) return 'no-such-device';
  const payload = asAlarmPayload({ kind: 'test' }, (device.language as Language | null) ?? fallbackLanguage.person);
  return deliverToOwner(device, payload, { renew: async () => payload, attempts: 1 });
}

type DeviceAlarm = AlarmToPush | GuessingToPush | { kind: 'test' };

/** The payload for an owner's service worker. It replaces an earlier one with the same `tag`. */
export type AlarmPayload = { alarm: DeviceAlarm['kind']; tag: string; title: string; body: string; language: string };

const tagOf = (alarm: DeviceAlarm): string =>
  'source' in alarm ? alarmTag(alarm.kind, alarm.source) : `alarm-${alarm.kind}`;

/** An alarm in its owner's language. It names keys, never texts or accounts: a locked screen shows it. */
function asAlarmPayload(alarm: DeviceAlarm, language: Language): string {
  const times = 'count' in alarm ? `${alarm.count}${alarm.isMore ? '+' : ''}` : '';
  const values: Record<string, unknown> = { ...alarm, times };
  const { title, body } = browserTexts[language].pushes[alarm.kind];
  const texts = { title: fillIn(title, values), body: fillIn(body, values) };
  const payload: AlarmPayload = { alarm: alarm.kind, tag: tagOf(alarm), ...texts, language };
  return JSON.stringify(payload);
}
