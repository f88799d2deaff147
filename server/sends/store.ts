import { byId, countRows, db, isAnyOf, type Rows, requireRow, updateRows } from '#db/client.ts';
import type { PersonTransaction } from '#db/company-row.ts';
import { and, eq, type SQL, sql } from '#db/drizzle.cjs';
import { employees, notificationPeople, notifications } from '#db/schema/tables.ts';
import { announce } from '#db/wake-ups.ts';
import { warnOf } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { type AuditAction, findSettings } from '#server/audit/record.ts';
import { raiseRepeats } from '#server/keys/alarms.ts';
import type { Recipients } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { ApiKey, Manager } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';
import { newRequestId } from '#server/request-id.ts';

/** The text of a notification, whose fields were checked. */
export type DraftText = Pick<Rows['notifications'], 'title' | 'body' | 'url'> & { kind: Kind };

/** The text of a notification of a person. `answers`: it asks for one of these two to four. */
export type PersonsText = DraftText & { answers?: Rows['notifications']['answers'] };

/** A notification to send. */
export type Draft = DraftText & { recipients: Recipients };

/** PostgreSQL's largest int, an id that no employee has: 404. */
export const impossibleId = 2_147_483_647;

/** An employee's id; an impossible one is nobody's. */
export const asEmployeeId = (id: number): number => (id > 0 && id < impossibleId ? id : impossibleId);

/** The most people of a send to chosen people. */
export const maxChosenPeople = 500;
/** The most roles of a send to roles. */
export const maxChosenRoles = 100;

/** What a person sends. `reminds`: a reminder of that notification, to `reach` people. */
type PersonsSend = Draft &
  PersonsText & {
    draftId: string | null;
    mustConfirm: boolean;
    reminds?: { no: number; reach: number };
  };

/** A send of a person that is stored. `skipped`: how many more recipients were inactive. */
export type StoredSend = { no: number; reach: number; skipped: number | null; hasDevices: boolean };

/** Who receives a send. `listed`: the employees of its list, if it has one. `details`: for the audit entry. */
type Audience = {
  employeeId: number | null;
  toRoles: string[] | null;
  reach: number;
  skipped: number | null;
  listed?: SQL | undefined;
  details: Record<string, unknown>;
};

/**
 * Stores a send of a person, with its audit entry. The transaction holds the company's row, so `reach` and `skipped`
 * are exact at its number. Null when the draft was sent before, or the company lacks these recipients.
 */
export async function storeByPerson(
  tx: PersonTransaction,
  { companyId, accountId, name }: Manager,
  send: PersonsSend,
): Promise<StoredSend | null> {
  const { title, body, kind, url, answers = null, draftId, mustConfirm, reminds } = send;
  if (draftId !== null && (await countRows(db(tx), notifications, { companyId, draftId })) > 0) return null;
  const company = await findSettings({ companyId }, ['activeEmployees', 'mustConfirmKinds'], tx);
  const audience = await findAudience(tx, companyId, send, company.activeEmployees);
  if (!audience) return null;
  const { employeeId, toRoles, reach, skipped, listed } = audience;
  const action: AuditAction = reminds ? 'notification.remind' : 'notification.send';
  // A reminder is confirmed with its original.
  const confirms = !reminds && (mustConfirm || answers !== null || company.mustConfirmKinds.includes(kind));
  const details = { ...audience.details, title, reach, ...(reminds ? { remindsNo: reminds.no } : { kind }) };
  // A reminder concerns who had not confirmed after the wait for the company's row: the clock, not now().
  const stored = db(tx).execute<{ no: number; hasDevices: boolean }>(sql`
    select exists (select from push_subscriptions where company_id = ${companyId}) as "hasDevices",
      store_notification_1(
        _company_id => ${companyId}, _recipient_id => ${employeeId}, _is_listed => ${listed !== undefined},
        _to_roles => ${sql.param(toRoles)}, _title => ${title}, _body => ${body}, _kind => ${kind}, _url => ${url},
        _reach => ${reach}, _must_confirm => ${confirms}, _key_id => null, _account_id => ${accountId},
        _draft_id => ${draftId}, _reminds_no => ${reminds?.no ?? null}, _skipped => ${skipped},
        _created_at => clock_timestamp(), _action => ${action}, _sender_name => ${name},
        _details => ${JSON.stringify(details)}, _request_id => ${newRequestId()}) as no`);
  const { no, hasDevices } = await requireRow(stored);
  if (answers) await updateRows(db(tx), notifications, { companyId, no }, { answers });
  if (listed) {
    const columns = {
      companyId: employees.companyId,
      no: sql<number>`${no}::bigint`.as('no'),
      employeeId: employees.id,
    };
    const people = db(tx).select(columns).from(employees);
    await db(tx)
      .insert(notificationPeople)
      .select(people.where(and(eq(employees.companyId, companyId), listed)));
  }
  return { no, reach, skipped, hasDevices };
}

async function findAudience(
  tx: PersonTransaction,
  companyId: number,
  { recipients, reminds }: PersonsSend,
  active: number,
): Promise<Audience | null> {
  const none = { employeeId: null, toRoles: null, skipped: null };
  if (reminds && recipients.to === 'people') {
    // All are active and have not confirmed the original.
    const listed = isAnyOf(employees.id, recipients.employeeIds);
    return { ...none, reach: reminds.reach, listed, details: { recipientName: null } };
  }
  if (recipients.to === 'one') {
    const { id, name, active: isActive } = employees;
    const isEmployee = byId(employees, { companyId }, asEmployeeId(recipients.employeeId));
    const [employee] = await db(tx).select({ id, name, isActive }).from(employees).where(isEmployee);
    if (!employee) return null;
    const { id: employeeId, name: recipientName } = employee;
    const details = reminds ? { employeeId, recipientName } : { recipientId: employeeId, recipientName };
    return { ...none, employeeId, reach: reminds?.reach ?? Number(employee.isActive), details };
  }
  if (recipients.to === 'roles') {
    const toRoles = [...new Set(recipients.roles)];
    const details = { recipientName: toRoles.join(', '), toRoles };
    // One role of the send must be in use; the others may be unused.
    return findListed(tx, companyId, isAnyOf(employees.role, toRoles), 1, { toRoles, details });
  }
  if (recipients.to === 'people') {
    const people = [...new Set(recipients.employeeIds)];
    const toPeople = people.filter((id) => asEmployeeId(id) === id);
    const details = { recipientName: null, toPeople };
    const areChosen = isAnyOf(employees.id, toPeople);
    return findListed(tx, companyId, areChosen, Math.max(1, people.length), { toRoles: null, details });
  }
  const details = { ...(!reminds && { recipientId: null }), recipientName: null };
  return { ...none, reach: reminds?.reach ?? active, details };
}

// Null unless the company has at least `atLeast` of them. Only active ones are in the list.
async function findListed(
  tx: PersonTransaction,
  companyId: number,
  isChosen: SQL,
  atLeast: number,
  { toRoles, details }: Pick<Audience, 'toRoles' | 'details'>,
): Promise<Audience | null> {
  const { reach, skipped } = await requireRow(
    db(tx)
      .select({
        reach: sql<number>`count(*) filter (where ${employees.active})`,
        skipped: sql<number>`count(*) filter (where not ${employees.active})`,
      })
      .from(employees)
      .where(and(eq(employees.companyId, companyId), isChosen)),
  );
  if (reach + skipped < atLeast) return null;
  const listed = and(employees.active, isChosen);
  return { employeeId: null, toRoles, reach, skipped, listed, details: { ...details, recipientId: null, skipped } };
}

/**
 * Counts a committed send and tells open portals and devices. Raises an alarm when a person
 * broadcasts a text again and again; those of keys come with their call log. Returns at once.
 */
export function afterSend(
  sender: ApiKey | Manager,
  { to }: Recipients,
  { no, reach, hasDevices }: Pick<StoredSend, 'no' | 'reach' | 'hasDevices'>,
): void {
  metrics()?.count('sends', to === 'roles' || to === 'people' ? 'several' : to);
  metrics()?.count('recipients', undefined, reach);
  if (to === 'everyone' && 'accountId' in sender)
    raiseRepeats([{ companyId: sender.companyId, accountId: sender.accountId }]).catch(
      warnOf('an alarm could not be raised'),
    );
  if (reach === 0) return;
  announce(sender.companyId);
  if (hasDevices) pushToDevices(sender, no);
}
