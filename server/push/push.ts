import { db, deleteRows, inTransaction, type Rows } from '#db/client.ts';
import { alias, type SQL, sql } from '#db/drizzle.cjs';
import { accounts, companies, pushSubscriptions, sessions } from '#db/schema/tables.ts';
import { fallbackLanguage, type Language } from '#platform/language.ts';
import { warnOf } from '#platform/log/log.ts';
import { ringEndOf, sessionEndOf } from '#server/accounts/sessions/sessions.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import type { EndedSnooze } from '#server/inbox/moves.ts';
import { quietCondition } from '#server/inbox/preferences.ts';
import { isReceivedBy, stillCounts } from '#server/notifications/audience.ts';
import { findLinkTarget } from '#server/notifications/field-rules.ts';
import { privateKinds } from '#server/notifications/kinds.ts';
import { asColumns, type ShownNotification, shownFields } from '#server/notifications/shown.ts';
import { withoutMarks } from '#server/notifications/text-marks.ts';
import type { ApiKey, Employee, Session } from '#server/principals.ts';
import { deliver, hashOf, isPushService, type Subscription, subscribe } from '#server/push/deliver.ts';
import { browserTexts } from '#server/service-texts.ts';

const pageSize = 200;

/** Subscribes this browser to pushes for the signed-in employee while their portal is closed. */
export async function addSubscription(
  { employee, sessionId }: Pick<Session, 'sessionId'> & { employee: Employee },
  subscription: Subscription,
): Promise<'added' | 'unknown-service' | 'session-ended'> {
  if (!isPushService(subscription.endpoint)) return 'unknown-service';
  const { companyId, employeeId } = employee;
  const subscribed = await inTransaction((tx) => subscribe(tx, { companyId, sessionId }, { employeeId }, subscription));
  return subscribed === 'session-ended' ? subscribed : 'added';
}

export async function removeSubscription({ companyId, employeeId }: Employee, endpoint: string): Promise<void> {
  await deleteRows(db(), pushSubscriptions, { companyId, employeeId, endpointHash: hashOf(endpoint) });
}

type DeviceMessage = { endpointHash: Buffer } & Subscription &
  ShownNotification & {
    hidden: boolean;
    silent: boolean;
    language: Language | null;
    linkBase: Rows['companies']['linkBase'];
  };

/** Why a device gets a message. `'correction'`: without a sound. `withdrawn`: it closes the newest 200 of these. */
type Reason = 'send' | 'back' | 'correction' | { withdrawn: number[] };

/**
 * Pushes a notification, or what became of it, to the devices of everyone it reached; returns at once. Skips quiet
 * hours, except for a withdrawal, and leaves out a text that its reader hides.
 */
export function pushToDevices({ companyId }: Pick<ApiKey, 'companyId'>, no: number, reason: Reason = 'send'): void {
  pushInPages(companyId, no, reason).catch(warnOf('a push could not be sent'));
}

/** Pushes a notification that came back from a snooze to its person, and resolves when the push services answered. */
export const pushBack = ({ companyId, employeeId, no }: EndedSnooze): Promise<void> =>
  pushInPages(companyId, no, 'back', sql`s.employee_id = ${employeeId}`);

// In pages, so that no database connection is held during the posts.
async function pushInPages(companyId: number, no: number, reason: Reason, which = sql`true`): Promise<void> {
  for (let after: Buffer | undefined = Buffer.alloc(0); after; ) {
    const page = sql`s.endpoint_hash > ${after} and ${which}`;
    const devices: DeviceMessage[] = await listDevices(companyId, no, reason, page);
    await Promise.all(devices.map((device) => pushToDevice(companyId, device, reason).catch(() => {})));
    after = devices.length === pageSize ? devices.at(-1)?.endpointHash : undefined;
  }
}

async function listDevices(companyId: number, no: number, reason: Reason, which: SQL): Promise<DeviceMessage[]> {
  // A withdrawal makes no sound: it only closes a notification.
  const mayReceive = typeof reason === 'object' ? sql`n.reach > 0` : sql`${stillCounts} and not ${quietCondition()}`;
  const ofDevice = [alias(sessions, 'held'), alias(accounts, 'a'), alias(companies, 'c')] as const;
  // As text: who received it is a condition over the names of its tables.
  return db().execute<DeviceMessage>(sql`
    select s.endpoint_hash as "endpointHash", s.endpoint, s.p256dh, s.auth, n.no, ${asColumns(shownFields)}, a.language, c.link_base as "linkBase",
      n.kind = any(coalesce(p.muted_kinds, '{}')) as silent,
      coalesce(p.hide_private, true) and n.kind = any(${sql.param([...privateKinds])}::text[])
        or ${sessionEndOf(...ofDevice)} <= now() as hidden
    from notifications n
    join push_subscriptions s on s.company_id = n.company_id and ${isReceivedBy(sql`s.employee_id`)}
    join employees e on e.company_id = s.company_id and e.id = s.employee_id and e.active
    join accounts a on a.company_id = e.company_id and a.id = e.account_id
    join sessions held on held.company_id = s.company_id and held.id = s.session_id and held.account_id = a.id
    join companies c on c.id = n.company_id
    left join preferences p on p.company_id = e.company_id and p.employee_id = e.id
    left join api_keys sender_key on sender_key.company_id = n.company_id and sender_key.id = n.key_id
    left join accounts sender_account on sender_account.company_id = n.company_id and sender_account.id = n.account_id
    where n.company_id = ${companyId} and n.no = ${no} and ${ringEndOf(...ofDevice)} > now()
      and ${mayReceive} and ${which}
    order by s.endpoint_hash limit ${pageSize}`);
}

async function pushToDevice(companyId: number, device: DeviceMessage, reason: Reason): Promise<void> {
  const endpointHash = hashOf(device.endpoint);
  await deliver(device, asPayload(device, reason), {
    // The session may have ended while the message waited, and the notification may have changed.
    renew: async () => {
      const [now] = await listDevices(companyId, device.no, reason, sql`s.endpoint_hash = ${endpointHash}`);
      return now ? asPayload(now, reason) : null;
    },
    forget: () => deleteRows(db(), pushSubscriptions, { companyId, endpointHash }),
  });
}

/**
 * What the service worker of a device receives. `body`: null when its reader hides it. `isManual`: of a person. `opens`:
 * the host of the company's portal, to which its link leads. `back`: from a snooze; it rings also where it is shown.
 * `corrected`: it replaces what is shown. `withdrawn`: the device closes these, and may have to show the title.
 */
export type PushPayload = Pick<ShownNotification, 'no' | 'kind' | 'title' | 'sender' | 'isManual'> & {
  body: string | null;
  reminds: boolean;
  silent: boolean;
  language: Language;
  opens?: string;
  back?: boolean;
  corrected?: boolean;
  correctedBy?: string;
  withdrawn?: number[];
};

function asPayload({ hidden, silent, language, linkBase, ...stored }: DeviceMessage, reason: Reason): string {
  const item = asItem({ ...stored, read: false, mustConfirm: false, confirmedAt: null, answer: null });
  const { no, kind, title, body, sender, isManual, correctedBy } = item;
  // Without marks, and without the link, which the page has: push services accept 4 kB.
  const payload: PushPayload = {
    ...{ no, kind, sender, isManual, silent },
    title: withoutMarks(title),
    body: hidden ? null : withoutMarks(body),
    correctedBy: correctedBy ?? undefined,
    reminds: item.remindsNo !== null,
    language: language ?? fallbackLanguage.person,
    opens: (item.href && findLinkTarget(item.href, linkBase)?.host) ?? undefined,
  };
  if (reason === 'send') return JSON.stringify(payload);
  if (reason === 'back') return JSON.stringify({ ...payload, back: true });
  if (reason === 'correction') return JSON.stringify({ ...payload, corrected: true, silent: true });
  const texts = browserTexts[payload.language].pushes.withdrawn;
  const withdrawn = reason.withdrawn.slice(-200);
  return JSON.stringify({ ...payload, ...texts, reminds: false, silent: true, withdrawn });
}
