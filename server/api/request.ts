import type { Failure } from '#server/api/failures.ts';
import { listNames } from '#server/api/received-kind.ts';

/** The largest body that is read, in bytes (contract §6). */
export const maxBodyBytes = 64 * 1024;

/**
 * The largest body that is read before its key is checked, in bytes. A notification is shorter;
 * strangers must not make the service parse long bodies.
 */
export const maxShortBodyBytes = 8 * 1024;

/** The longest wait for a whole body. */
export const bodyDeadlineMs = 10_000;

/** How long the rest of a refused body is read, so that its sender can read the response. */
export const lingerMs = 2000;

/** A request of the public interface, independent of the HTTP server that received it. */
export type NotifRequest = {
  method: string;
  /** The query with its `?`, or the empty string. */
  search: string;
  /** The client's IP address, or `unknown`. */
  address: string;
  /** The value of a header by its name in lower case. Repeated headers are joined by `, `. */
  header(name: string): string | null;
  /** Whether the whole body has arrived already and has at most `maxShortBodyBytes`. */
  hasShortBody(): Promise<boolean>;
  /** Reads the whole body. Call it once. */
  readBody(): Promise<ReceivedBody>;
};

/**
 * A whole body, or why it was not read: over `maxBodyBytes`, or not whole within `bodyDeadlineMs`.
 */
export type ReceivedBody = Uint8Array | 'too-large' | 'incomplete';

/** Reads the query parameter `aksi`, which must come exactly once. Its value is not checked yet. */
export function readAction(search: string): { aksi: string } | Failure {
  const query = new URLSearchParams(search);
  const values = query.getAll('aksi');
  if (values.length > 1) return { code: 'aksi_repeated', field: 'aksi', figures: { count: values.length } };
  if (values[0]) return { aksi: values[0] };
  return { code: 'aksi_missing', field: 'aksi', figures: { names: listNames([...query.keys()]) } };
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** Reads the optional `Idempotency-Key`: 1 to 255 visible ASCII characters, once (contract §7). */
export function readIdempotencyKey({ header }: NotifRequest): { idempotencyKey: string | null } | Failure {
  const value = header('idempotency-key');
  if (value === null) return { idempotencyKey: null };
  if (visibleAscii.test(value)) return { idempotencyKey: value };
  const strange = value.search(/[^\x21-\x7e]/);
  const figures = { length: value.length, position: strange === -1 ? undefined : strange + 1 };
  return { code: 'idempotency_key_malformed', figures };
}
