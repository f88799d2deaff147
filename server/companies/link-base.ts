import { db, hasRows } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { arrayContains, isNull, sql } from '#db/drizzle.cjs';
import { alarms, companies } from '#db/schema/tables.ts';
import { isTrial } from '#platform/config/settings.ts';
import { changeSettings, findSettings } from '#server/audit/record.ts';
import { type LinkBaseProblem, readLinkBase } from '#server/notifications/field-rules.ts';
import type { Owner, Session } from '#server/principals.ts';

/** Changes the address of the company's own portal (empty: none), to which all links lead. Warns the other owners. */
export async function changeLinkBase(owner: Owner, text: string): Promise<'changed' | 'unchanged' | LinkBaseProblem> {
  const read = text.trim() === '' ? { linkBase: null } : readLinkBase(text, isTrial());
  if (typeof read === 'string') return read;
  const { companyId, accountId } = owner;
  const details = { title: read.linkBase ?? '' };
  return changeSettings(owner, read, (tx) =>
    db(tx)
      .insert(alarms)
      .values({ companyId, kind: 'links-changed', accountId, details })
      .onConflictDoUpdate({
        target: [alarms.companyId, alarms.kind, alarms.accountId],
        targetWhere: isNull(alarms.dismissedAt),
        set: { lastAt: sql`now()`, details },
      }),
  );
}

/**
 * Changes which pages may show the bell: the origins of the addresses in `text`, one in a line, at most 10, by the
 * rules of `readLinkBase`. Bells in pages that are not listed any more close.
 */
export async function changeEmbedOrigins(owner: Owner, text: string) {
  const read = text.split(/\s+/).flatMap((line) => (line ? [readLinkBase(line, isTrial())] : []));
  const origins = read.map((address) => (typeof address === 'string' ? null : new URL(address.linkBase).origin));
  const embedOrigins = [...new Set(origins.filter((origin) => origin !== null))];
  if (read.includes('odd-host')) return 'odd-host';
  if (origins.includes(null)) return 'not-an-origin';
  if (embedOrigins.length > 10) return 'too-many';
  return changeSettings(owner, { embedOrigins }, (tx) => announceAccessChange(tx, owner));
}

/** Whether a page of this origin may show the bell of a session; without one, the way to sign in. */
export async function mayEmbed(session: Session | null, origin: string): Promise<boolean> {
  if (session) return (await findSettings(session.account, ['embedOrigins'])).embedOrigins.includes(origin);
  const listing = arrayContains(companies.embedOrigins, [origin]);
  return hasRows(db().select({ id: companies.id }).from(companies).where(listing).limit(1));
}
