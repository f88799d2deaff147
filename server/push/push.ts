import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { sql } from '#db/client.ts';
import type { InboxItem } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import { quietCondition } from '#server/inbox/preferences.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import { reminderConcerns, stillCounts } from '#server/notifications/audience.ts';
import { privateKinds } from '#server/notifications/kinds.ts';
import type { ApiKey, Employee, Session } from '#server/principals.ts';
import { isPushService, postMessage, type Subscription } from '#server/push/push-message.ts';

const mostPerPerson = 10;
const pageSize = 200;
const attempts = 3;
const mostWaiting = 10_000;
const largestPayloadBytes = 3000;
const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest();

// Devices of all companies together: encrypting and posting must not take the interface's time.
const inTurn = pLimit(16);

/**
 * Lets this browser take notifications of the signed-in employee while their portal is closed. An endpoint belongs to one
 * person: whoever signs in on a shared device takes it over. At most 10 devices a person, the newest stay.
 */
export async function keepSubscription(
  { employee, sessionVersion }: Session & { employee: Employee },
  { endpoint, p256dh, auth }: Subscription,
): Promise<'kept' | 'unknown-service'> {
  if (!isPushService(endpoint)) return 'unknown-service';
  const { companyId, employeeId } = employee;
  await sql().begin(async (transaction) => {
    await transaction`delete from push_subscriptions where endpoint_hash = ${hashOf(endpoint)}`;
    await transaction`
      insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth, session_version)
      values (${companyId}, ${employeeId}, ${hashOf(endpoint)}, ${endpoint}, ${p256dh}, ${auth}, ${sessionVersion})`;
    await transaction`
      delete from push_subscriptions where company_id = ${companyId} and employee_id = ${employeeId}
        and endpoint_hash not in (
          select endpoint_hash from push_subscriptions where company_id = ${companyId} and employee_id = ${employeeId}
          order by created_at desc limit ${mostPerPerson})`;
  });
  return 'kept';
}

/** Stops notifications on a device of this employee. */
export async function forgetSubscription({ companyId, employeeId }: Employee, endpoint: string): Promise<void> {
  await sql()`delete from push_subscriptions
    where company_id = ${companyId} and employee_id = ${employeeId} and endpoint_hash = ${hashOf(endpoint)}`;
}

type Device = { endpointHash: Buffer } & Subscription &
  Omit<InboxItem, 'read' | 'mustConfirm' | 'confirmedAt'> & {
    hidden: boolean;
    silent: boolean;
    language: string | null;
  };

/**
 * Tells the devices of everyone a notification reached, after its send was committed; the send does not wait for it. People in
 * their quiet hours are passed over. A text that its reader keeps hidden is not in the message. Dead devices are forgotten.
 */
export function pushToDevices(key: Pick<ApiKey, 'companyId'>, no: number): void {
  pushToAll(key.companyId, no).catch((error: unknown) => log().warn({ err: error }, 'devices could not be told'));
}

// In pages, so that no connection waits while devices are told.
async function pushToAll(companyId: number, no: number): Promise<void> {
  for (let after: Buffer | undefined = Buffer.alloc(0); after; ) {
    const devices: Device[] = await listDevices(companyId, no, after);
    await Promise.all(devices.map((device) => tellDevice(device).catch(() => {})));
    after = devices.length === pageSize ? devices.at(-1)?.endpointHash : undefined;
  }
}

async function listDevices(companyId: number, no: number, after: Buffer): Promise<Device[]> {
  return sql()<Device[]>`
    select s.endpoint_hash as "endpointHash", s.endpoint, s.p256dh, s.auth, n.no, n.title, n.body, n.kind, n.url, n.created_at as "createdAt",
      coalesce(k.name, b.name) as sender, n.account_id is not null as "byHand", n.reminds_no as "remindsNo", a.language, n.kind = any(coalesce(p.muted_kinds, '{}')) as silent,
      coalesce(p.hide_private, false) and n.kind = any(${[...privateKinds]}::text[]) as hidden
    from notifications n
    join push_subscriptions s on s.company_id = n.company_id and (n.recipient_id is null or s.employee_id = n.recipient_id)
    join employees e on e.company_id = s.company_id and e.id = s.employee_id and e.active
    join accounts a on a.company_id = e.company_id and a.id = e.account_id and a.session_version = s.session_version
    join employment span on span.company_id = e.company_id and span.employee_id = e.id and span.until_no is null
      and span.from_no < n.no
    join companies c on c.id = n.company_id
    left join preferences p on p.company_id = e.company_id and p.employee_id = e.id
    left join api_keys k on k.company_id = n.company_id and k.id = n.key_id
    left join accounts b on b.company_id = n.company_id and b.id = n.account_id
    where n.company_id = ${companyId} and n.no = ${no} and ${stillCounts()} and ${reminderConcerns()}
      and s.endpoint_hash > ${after} and not ${quietCondition()}
    order by s.endpoint_hash limit ${pageSize}`;
}

async function tellDevice(device: Device): Promise<void> {
  const payload = asPayload(device);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (inTurn.pendingCount > mostWaiting) return meters()?.count('push_messages', 'dropped');
    const outcome = await inTurn(() => postMessage(device, payload));
    meters()?.count('push_messages', typeof outcome === 'string' ? outcome : 'later');
    if (outcome === 'gone')
      await sql()`delete from push_subscriptions where endpoint_hash = ${hashOf(device.endpoint)}`;
    if (typeof outcome === 'string' || attempt === attempts) return;
    // Outside of the turn: a service that is busy holds up nobody else's device.
    await new Promise((resolve) => setTimeout(resolve, outcome.retryAfterS * 1000).unref());
  }
}

/** What the service worker of a device gets: enough to show, and where a press leads. */
export type PushPayload = {
  no: number;
  kind: InboxItem['kind'];
  title: string;
  /** Null when its reader keeps it hidden. */
  body: string | null;
  sender: string;
  /** Whether the sender is a person, not a system. */
  byHand: boolean;
  /** Whether it reminds of something that waits to be confirmed. */
  reminds: boolean;
  href: string | null;
  silent: boolean;
  language: string | null;
};

function asPayload({ hidden, silent, language, ...stored }: Device): string {
  const item = asItem({ ...stored, read: false, mustConfirm: false, confirmedAt: null });
  const { no, kind, title, body, sender, byHand, href } = item;
  const payload: PushPayload = {
    ...{ no, kind, title, body: hidden ? null : body, sender, byHand, reminds: item.remindsNo !== null },
    ...{ href, silent, language },
  };
  const text = JSON.stringify(payload);
  // Push services take 4 kB; a very long link is left to the page.
  return Buffer.byteLength(text) <= largestPayloadBytes ? text : JSON.stringify({ ...payload, href: null });
}
