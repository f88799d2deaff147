import { sql } from '#db/client.ts';
import { log } from '#server/log.ts';

const everyMs = 60 * 60 * 1000;

/** Forgets what was only kept for a while: idempotent answers of over 24 hours, old failures, dead invitations. */
export async function forgetExpired(): Promise<void> {
  await sql()`delete from idempotency where created_at < now() - interval '25 hours'`;
  await sql()`delete from sign_in_failures where window_started_at < now() - interval '1 hour'`;
  await sql()`delete from invitations where expires_at < now() - interval '30 days'`;
}

/** Keeps house every hour until the process ends; a failure is logged and tried again. */
export function keepHouse(): void {
  setInterval(() => {
    forgetExpired().catch((error: unknown) => log().warn({ err: error }, 'housekeeping failed'));
  }, everyMs).unref();
}
