import { excerptOf } from '#platform/log/redact.ts';
import { addressGroup } from '#platform/net/address-group.ts';

/** Why a request was rejected: its stable code, the wrong field, and the values of its message. */
export type Rejection = { code: string; field?: string; parameters?: Record<string, number | string | undefined> };

/** Operation, address and program of a call. */
export type Origin = { operation: string; address: string; client: string };

/**
 * A rejected request. `isAuthenticated`: its key is valid. `fingerprint`: the hash of the key that
 * came with it, in hex, or null.
 */
type NotedRejection = Rejection &
  Origin & { at: Date; requestId: string; isAuthenticated: boolean; fingerprint: string | null };

/**
 * A row of a batch. `more` are similar calls of the same second. `requestId` is null where calls
 * are only counted; `more` is then their number.
 */
type RejectedRequestRow = { at: Date; fingerprint: string | null; code: string; more: number } & (
  | ({ requestId: string } & Rejection & Origin)
  | { requestId: null }
);

type Source = 'key' | 'rejected' | 'none';

/**
 * The rejected requests of a process that are not written yet: rows by key or address and reason,
 * the number of these rows by their source, and calls that are only counted.
 */
export type RejectedRequestBatch = {
  rows: Map<string, RejectedRequestRow[]>;
  sizes: Record<Source, number>;
  counted: Map<string, RejectedRequestRow>;
};

// Each source has its own share, so that strangers cannot displace the rejected requests of keys.
const maxAlike = 5;
const maxRows: Record<Source, number> = { key: 500, rejected: 300, none: 200 };
// The number of unknown keys is unbounded.
const maxCountedKeys = 1000;
const maxTextLength = 200;

/** Cuts a caller's text to 200 characters that can be stored and shown. */
export const shorten = (text: string): string => excerptOf(text, maxTextLength);

/** An empty batch. */
export const emptyRejectedRequests = (): RejectedRequestBatch => ({
  rows: new Map(),
  sizes: { key: 0, rejected: 0, none: 0 },
  counted: new Map(),
});

/** Whether a batch has nothing to write. */
export const isEmpty = ({ rows, counted }: RejectedRequestBatch): boolean => rows.size === 0 && counted.size === 0;

/** The rows of a batch. */
export const rowsOf = ({ rows, counted }: RejectedRequestBatch): RejectedRequestRow[] => [
  ...[...rows.values()].flat(),
  ...counted.values(),
];

/**
 * Adds a rejected request to a batch. At most 5 calls of a key or address with the same reason
 * become rows, and 1,000 in all. Without a valid key, an address (IPv6: its /64) has 20 rows an
 * hour for each reason. Further calls are only counted.
 */
export function addRejectedRequest(batch: RejectedRequestBatch, call: NotedRejection): void {
  const { at, requestId, fingerprint, code, field, parameters, operation, address, client } = call;
  const source: Source = call.isAuthenticated ? 'key' : fingerprint === null ? 'none' : 'rejected';
  const network = addressGroup(address);
  const group = `${source}:${fingerprint ?? network}:${code}`;
  const alike = batch.rows.get(group) ?? [];
  const last = alike.at(-1);
  if (last && alike.length >= maxAlike) last.more += 1;
  else if (batch.sizes[source] >= maxRows[source] || (source !== 'key' && !takeShare(`${network}:${code}`, at))) {
    if (last) last.more += 1;
    else count(batch, { at, fingerprint, code, more: 1, requestId: null });
  } else {
    const origin = { operation: shorten(operation), address: shorten(address), client: shorten(client) };
    alike.push({ at, requestId, ...origin, code, field: field && shorten(field), parameters, fingerprint, more: 0 });
    batch.rows.set(group, alike);
    batch.sizes[source] += 1;
  }
}

function count({ counted }: RejectedRequestBatch, row: RejectedRequestRow): void {
  const group = `${row.fingerprint}:${row.code}:${hourOf(row.at)}`;
  const known = counted.get(group);
  if (known) known.more += row.more;
  else if (row.fingerprint === null || counted.size < maxCountedKeys) counted.set(group, row);
}

const hourMs = 60 * 60 * 1000;
const hourOf = (at: Date) => Math.floor(at.getTime() / hourMs);

const rowsPerShare = 20;
const maxShares = 10_000;
// Module state: the rows that addresses without a valid key have had in this hour, in this process.
// The hourly budget of a company holds for all processes (call-log.ts).
const shares = { hour: 0, taken: new Map<string, number>() };

function takeShare(name: string, at: Date): boolean {
  if (shares.hour !== hourOf(at) || shares.taken.size >= maxShares) {
    shares.hour = hourOf(at);
    shares.taken.clear();
  }
  const taken = shares.taken.get(name) ?? 0;
  if (taken < rowsPerShare) shares.taken.set(name, taken + 1);
  return taken < rowsPerShare;
}
