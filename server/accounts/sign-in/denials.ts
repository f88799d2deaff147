import { db } from '#db/client.ts';
import { sql } from '#db/drizzle.cjs';
import { logRepeats, warnOf } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { asSubject, endOfWindow, usesOfWindow } from '#server/accounts/sign-in/limits.ts';
import type { Account } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

/** Why a request was denied. `rights-ended`: the account was allowed a moment ago. The last two are of actions. */
type Reason = 'no-rights' | 'rights-ended' | 'no-session' | 'foreign-page';

/**
 * Records a denied request, and returns at once: in the log, once a minute; in the metrics; in the audit log once an
 * hour for each `target` (an action, or two parts of an address), and after each ten in an hour as an alarm.
 */
export function recordDenial(account: Account | null, target: string, reason: Reason): void {
  metrics()?.count('denials', reason);
  const what = /^(?:\/[\w-]+){1,2}|^\w+/.exec(target)?.[0] ?? 'unknown';
  const who = account && { companyId: account.companyId, accountId: account.accountId };
  logRepeats('warn', { ...who, target: what, reason }, {}, 'a request was denied');
  if (account) countDenial(account, what, reason).catch(warnOf('a denied request could not be recorded'));
}

async function countDenial({ companyId, accountId, name }: Account, target: string, reason: Reason): Promise<void> {
  const perAccount = `denied\n${companyId}:${accountId}`;
  const [ofAccount, ofTarget] = [perAccount, `${perAccount}\n${target}`].map(asSubject);
  // As text: the builder inserts no selected rows into a table that numbers its rows itself.
  await db().execute(sql`
    with counted as (
      insert into limit_counters (subject, uses, ends_at)
      select subject, 1, now() + interval '1 hour'
      from unnest(array[${ofAccount}::bytea, ${ofTarget}::bytea]) as wanted (subject) order by subject
      on conflict (subject) do update set uses = ${usesOfWindow}, ends_at = ${endOfWindow}
      returning subject, uses
    ), audited as (
      insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id)
      select ${companyId}::int, 'account', ${accountId}::int, ${name}, 'access.deny',
        jsonb_build_object('target', ${target}::text, 'reason', ${reason}::text), ${newRequestId()}
      from counted where subject = ${ofTarget} and uses = 1
    )
    insert into alarms as open (company_id, kind, account_id, details)
    select ${companyId}::int, 'denied-requests', ${accountId}::int,
      jsonb_build_object('title', ${target}::text, 'count', uses)
    from counted where subject = ${ofAccount} and uses % 10 = 0
    on conflict (company_id, kind, account_id) where dismissed_at is null
      do update set last_at = now(), details = excluded.details`);
}
