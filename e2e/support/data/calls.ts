import { sql } from '#db/client.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { deletions } from '#server/jobs/hourly-jobs.ts';
import { type Call, flushCallLog, noteCall } from '#server/keys/call-log.ts';
import { authenticateKey, fingerprintOf } from '#server/keys/keys.ts';
import type { ApiKey } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

export async function principalOf(key: string): Promise<ApiKey> {
  const found = await authenticateKey(fingerprintOf(key));
  if (!found) throw new Error('the key is gone');
  return found;
}

/** Creates a key: its text, its principal, and how the call log names it. */
export async function makeKey(company: Company, name?: string) {
  const text = await company.newKey(name);
  return { text, key: await principalOf(text), fingerprint: fingerprintOf(text) };
}

/** Moves the end of a key to a moment from now: negative seconds make it an expired key. */
export async function expireKey(key: string, inSeconds = -1): Promise<void> {
  await sql()`update api_keys set expires_at = now() + ${inSeconds} * interval '1 second'
    where fingerprint = ${fingerprintOf(key)}`;
}

/** Creates an entry of the call log, by default a ping. */
export function makeCall(wanted: Partial<Call>): Call {
  const call = { at: new Date(), requestId: newRequestId(), key: null, fingerprint: null, rejection: null };
  return { ...call, operation: 'ping', address: '203.0.113.7', client: 'curl/8.5', broadcast: false, ...wanted };
}

export async function keep(...calls: Partial<Call>[]): Promise<void> {
  for (const call of calls) noteCall(makeCall(call));
  await flushCallLog();
}

export async function deleteExpired(): Promise<void> {
  for (const job of deletions.values()) await job();
}
