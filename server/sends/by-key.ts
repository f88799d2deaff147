import { cacheStatement, db, requireRow, sqlForCalls, sqlForSends, withDeadline } from '#db/client.ts';
import { wasRolledBack } from '#db/driver/errors.ts';
import { sql } from '#db/drizzle.cjs';
import { makeBatchQueue, makeGroupQueue } from '#platform/queues.ts';
import {
  asCountedKey,
  authenticateAndCountKey,
  type CountedKey,
  type CountedRow,
  countedColumns,
  inLockOrder,
} from '#server/keys/count.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';
import { employeeIdOf, type KeyRecipients } from '#server/notifications/audience.ts';
import type { ApiKey } from '#server/principals.ts';
import { afterSend, asEmployeeId, type DraftText } from '#server/sends/store.ts';

/** A notification of a key. */
export type KeyDraft = DraftText & { recipients: KeyRecipients };

/** Makes a send idempotent: its `Idempotency-Key` and the SHA-256 of the checked fields. */
export type IdempotencyClaim = { idempotencyKey: string; bodyHash: Buffer };

/** A committed send of a key. `reach`: number of recipients. `replayed`: an earlier request sent it. */
export type KeySend = { reach: number; replayed: boolean };

type SendOutcome = KeySend | 'not-in-company' | 'reused' | 'revoked';

/** A counted request to send: what became of it. */
export type CountedSend = CountedKey & { outcome: SendOutcome | 'over-limit' };

// `'busy'`: counted, not sent yet; send it alone.
type Counted = CountedKey & { outcome: CountedSend['outcome'] | 'busy' };

type SendRequest = { fingerprint: string; draft: KeyDraft; requestId: string; claim?: IdempotencyClaim | undefined };

// What `send_by_key_1` returns. `no` and `hasDevices` are set when it is sent, `reach` also when it was before.
type SentRow = {
  outcome: 'sent' | 'replayed' | 'reused' | 'not-in-company' | 'revoked' | 'busy';
  no: number;
  reach: number;
  hasDevices: boolean;
};
type SendRow = CountedRow & (SentRow | { outcome: 'over-limit' });

/**
 * Authenticates a key by its fingerprint, counts the request and sends, in one statement with one commit, shared by
 * concurrent requests. Null without a valid key: nothing is counted. Over the limit nothing is sent. When the company
 * is locked, or the statement fails, `sendNotification` sends this one alone. Throws when the database is out of reach.
 */
export async function countAndSend(
  fingerprint: Buffer,
  draft: KeyDraft,
  requestId: string,
  claim?: IdempotencyClaim,
): Promise<CountedSend | null> {
  const counted = await sendQueue({ fingerprint: fingerprint.toString('hex'), draft, requestId, claim });
  if (counted?.outcome !== 'busy') return counted as CountedSend | null;
  return { ...counted, outcome: await sendNotification(counted.key, draft, requestId, claim) };
}

// The companies of keys that sent recently; a key's never changes. Without an entry two statements may meet at one.
const companies = new Map<string, number>();

const sendQueue = makeBatchQueue<SendRequest, Counted | null>({
  run: sendTogether,
  isUndone: wasRolledBack,
  runAlone: countOnly,
  groupOf: ({ fingerprint }) => companies.get(fingerprint),
});

async function countOnly({ fingerprint }: SendRequest): Promise<Counted | null> {
  const counted = await authenticateAndCountKey(Buffer.from(fingerprint, 'hex'));
  return counted && { ...counted, outcome: counted.used > requestsPerMinute ? 'over-limit' : 'busy' };
}

const asLists = (requests: SendRequest[]) => ({
  fingerprints: requests.map(({ fingerprint }) => fingerprint),
  employeeIds: requests.map(({ draft }) => recipientOf(draft)),
  titles: requests.map(({ draft }) => draft.title),
  bodies: requests.map(({ draft }) => draft.body),
  kinds: requests.map(({ draft }) => draft.kind),
  urls: requests.map(({ draft }) => draft.url),
  requestIds: requests.map(({ requestId }) => requestId),
  idempotencyKeys: requests.map(({ claim }) => claim?.idempotencyKey ?? null),
  hashes: requests.map(({ claim }) => claim?.bodyHash.toString('hex') ?? null),
});

// As text: the builder has no list of parameters with their places. The functions are in db/migrations/0003.
const countAndSendTogether = cacheStatement<ReturnType<typeof asLists>, SendRow>(
  (lists) => sql`
    select ${countedColumns}, r._outcome as outcome, r._no as no, r._reach as reach, r._has_devices as "hasDevices"
    from unnest(${lists.fingerprints}::text[], ${lists.employeeIds}::int[], ${lists.titles}::text[],
      ${lists.bodies}::text[], ${lists.kinds}::text[], ${lists.urls}::text[], ${lists.requestIds}::text[],
      ${lists.idempotencyKeys}::text[], ${lists.hashes}::text[]) with ordinality
      as asked (fingerprint, employee_id, title, body, kind, url, request_id, idempotency_key, hash, index)
    cross join lateral count_and_send_1(decode(fingerprint, 'hex'), ${requestsPerMinute}, employee_id, title, body,
      kind, url, request_id, idempotency_key, decode(hash, 'hex')) r`,
);

async function sendTogether(requests: SendRequest[]): Promise<(Counted | null)[]> {
  const ordered = inLockOrder(requests);
  const rows = await withDeadline(() => countAndSendTogether(sqlForCalls(), asLists(ordered), null));
  const rowOf = new Map(rows.map((row) => [ordered[row.index - 1], row]));
  return requests.map((request) => {
    const row = rowOf.get(request);
    if (!row) return null;
    const counted = asCountedKey(row);
    if (companies.size >= 10_000) companies.clear();
    companies.set(request.fingerprint, counted.key.companyId);
    // In the order of contract §1: limit, then recipient, then the send.
    const outcome = row.outcome === 'over-limit' ? row.outcome : asOutcome(row, counted.key, request.draft);
    return { ...counted, outcome };
  });
}

const recipientOf = ({ recipients }: KeyDraft): number | null => {
  const employeeId = employeeIdOf(recipients);
  return employeeId === undefined ? null : asEmployeeId(employeeId);
};

function asOutcome({ outcome, no, reach, hasDevices }: SentRow, key: ApiKey, draft: KeyDraft): SendOutcome | 'busy' {
  if (outcome === 'sent') afterSend(key, draft.recipients, { no, reach, hasDevices });
  return outcome === 'sent' || outcome === 'replayed' ? { reach, replayed: outcome === 'replayed' } : outcome;
}

// Sends of one company wait for its row anyway. Here they wait without a connection.
const companyQueue = makeGroupQueue<number>(3);

/**
 * Sends a notification of a key that is authenticated and counted. One statement writes it, its audit entry and, with a
 * `claim`, the answer to remember: all or nothing (contract §7). Open portals are told after the commit. `'reused'`:
 * the idempotency key belongs to another notification. `'revoked'`: the key was, meanwhile.
 */
export async function sendNotification(
  key: ApiKey,
  draft: KeyDraft,
  requestId: string,
  claim?: IdempotencyClaim,
): Promise<SendOutcome> {
  const { title, body, kind, url } = draft;
  const row = await companyQueue(key.companyId, () =>
    requireRow(
      db(sqlForSends()).execute<SentRow>(sql`
        select r._outcome as outcome, r._no as no, r._reach as reach, r._has_devices as "hasDevices"
        from send_by_key_1(${key.companyId}, ${key.id}, ${recipientOf(draft)}, ${title}, ${body}, ${kind}, ${url},
          ${requestId}, ${claim?.idempotencyKey ?? null}, ${claim?.bodyHash ?? null}, true) r`),
    ),
  );
  return asOutcome(row, key, draft) as SendOutcome;
}
