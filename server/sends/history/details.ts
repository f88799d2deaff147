import { db, findRow, isAnyOf } from '#db/client.ts';
import { alias, and, between, type Column, desc, eq, exists, or, type SQL, sql } from '#db/drizzle.cjs';
import { auditLog, notifications } from '#db/schema/tables.ts';
import {
  containsWords,
  e,
  fromRecipients,
  hasRead,
  isOriginal,
  isToEveryone,
  n,
  original,
  type Recipients,
  r,
  reachedId,
  reminderConcerns,
} from '#server/notifications/audience.ts';
import {
  asColumns,
  isSenderAccount,
  isSenderKey,
  type RowOf,
  senderAccount,
  senderKey,
  textFields,
} from '#server/notifications/shown.ts';
import type { Manager } from '#server/principals.ts';
import type { DraftContent } from '#server/sends/drafts.ts';
import { isCorrectable } from '#server/sends/history/changes.ts';
import { isRecipient, sendFields } from '#server/sends/history/send-list.ts';
import type { RecipientState } from '#server/sends/history/states.ts';

/** One person's receipt. `readAt` may be null although `read`: the time is not always known. `active`: today. */
export type Recipient = RowOf<typeof recipientFields>;

/** Which people of a send; all conditions together. `search` is part of a name, or an id. */
export type RecipientFilter = { state?: RecipientState; search?: string };

const stateConditions = {
  shown: sql`${r.shownAt} is not null`,
  notShown: sql`${r.shownAt} is null`,
  read: hasRead,
  unread: sql`not ${hasRead}`,
  confirmed: sql`${r.confirmedAt} is not null`,
  unconfirmed: sql`${r.confirmedAt} is null`,
  beforeCorrection: sql`${r.confirmedAt} < ${n.correctedAt}`,
  answer1: eq(r.answer, 1),
  answer2: eq(r.answer, 2),
  answer3: eq(r.answer, 3),
  answer4: eq(r.answer, 4),
} as const;

/**
 * When a person read a notification, over the tables of `fromRecipients`; null also when the time was not recorded. Who
 * marked everything read has a mark; the first mark that covers the number is the earliest.
 */
export const readAt = sql<Date | null>`
  case when ${r.unreadAt} is null then coalesce(${r.readAt}, (
    select m.at from read_marks m
    where m.company_id = ${e.companyId} and m.employee_id = ${e.id} and m.up_to >= ${n.no} and ${n.no} <= ${e.readUpTo}
    order by m.up_to limit 1
  )) end`;

const { id, name, role, active } = e;
const { shownAt, confirmedAt, answer } = r;
const recipientFields = { id, name, role, active, shownAt, read: hasRead, confirmedAt, answer, readAt };

/** Lists the recipients of a send by id: at most `limit`, after the id `after`. Also says whether there are more. */
export async function listRecipients(
  manager: Manager,
  no: number,
  { after = 0, filter = {}, limit = 50 }: { after?: number; filter?: RecipientFilter; limit?: number } = {},
): Promise<{ people: Recipient[]; more: boolean }> {
  const { companyId } = manager;
  // As text: the builder has no `materialized`.
  const rows = await db().execute<Recipient>(sql`
    with n as materialized (
      select company_id, no, recipient_id, is_listed, reminds_no, corrected_at from notifications
      where company_id = ${companyId} and no = ${no} and reach > 0
    )
    ${selectRecipients({ companyId, no, after, filter, limit: limit + 1 })}`);
  return { people: rows.slice(0, limit), more: rows.length > limit };
}

type RecipientPage = { companyId: number; no: number; after: number; filter: RecipientFilter; limit: number };

// Without a filter it reads person by person until the page is full. With a filter the matches may be
// anywhere, so it reads all receipts of the send at once.
function selectRecipients({ companyId, no, after, filter, limit }: RecipientPage) {
  const receipts = sql`select * from receipts where company_id = ${companyId} and no = ${no}`;
  if (filter.state === undefined && filter.search === undefined)
    return sql`
      select ${asColumns(recipientFields)}
      from (${selectReached({ companyId, no, after }, sql`order by id limit ${limit}`)}) reached cross join n
      cross join lateral (select * from employees where company_id = ${companyId} and id = reached.id limit 1) e
      left join lateral (${receipts} and employee_id = reached.id limit 1) r on true
      order by e.id`;
  return sql`
    , reached as materialized (${selectReached({ companyId, no, after })}),
    r as materialized (${receipts} and employee_id > ${after})
    select ${asColumns(recipientFields)}
    from reached cross join n
    join employees e on e.company_id = ${companyId} and e.id = reached.id
    left join r on r.employee_id = e.id
    where ${filterCondition(filter) ?? sql`true`}
    order by e.id limit ${limit}`;
}

// The people whom `n` reached, above id `after`. The first condition on periods keeps PostgreSQL from
// reading all of them for a send to somebody else.
const selectReached = ({ companyId, no, after }: Omit<RecipientPage, 'filter' | 'limit'>, upToLimit = sql``) => sql`
  select id from (
    select recipient_id as id from n where recipient_id > ${after}
    union all (
      select employee_id as id from notification_people
      where company_id = ${companyId} and no = ${no} and employee_id > ${after} ${upToLimit}
    ) union all (
      select s.id from n
      cross join lateral (
        select employee_id as id from employment
        where exists (select from n where ${isToEveryone}) and company_id = ${companyId} and employee_id > ${after}
          and from_no < ${no} and (until_no is null or until_no >= ${no})
        order by employee_id
      ) s
      where ${reminderConcerns(sql`s.id`)} ${upToLimit}
    )
  ) people ${upToLimit}`;

function filterCondition({ state, search }: RecipientFilter): SQL | undefined {
  const id = /^\d{1,9}$/.test(search ?? '') ? Number(search) : 0;
  const isFound = search ? or(eq(e.id, id), containsWords(search, [e.name]) ?? sql`true`) : undefined;
  return and(state ? stateConditions[state] : undefined, isFound);
}

/** A send with its audit entry: `sentBy`, the sender's name then, and `requestId` of the response, or null. */
export type SendDetails = NonNullable<Awaited<ReturnType<typeof findSend>>>;

export async function findSend(manager: Manager, no: number) {
  const made = selectEntry(n.createdAt, ['notification.send', 'notification.remind']).as('made');
  const undone = selectEntry(n.withdrawnAt, ['notification.withdraw']).as('undone');
  const entries = { sentBy: made.by, requestId: made.requestId, withdrawnBy: undone.by };
  return findRow(
    db()
      .select({ ...sendFields, ...textFields, correctedAt: n.correctedAt, ...entries, isCorrectable })
      .from(n)
      .leftJoin(senderKey, isSenderKey)
      .leftJoin(senderAccount, isSenderAccount)
      .leftJoin(e, isRecipient)
      .leftJoinLateral(made, sql`true`)
      .leftJoinLateral(undone, sql`true`)
      .where(and(eq(n.companyId, manager.companyId), eq(n.no, no))),
  );
}

/** The corrections of a send, the newest first, from the audit log. */
export async function listCorrections(
  { companyId }: Manager,
  { no, createdAt, correctedAt }: Pick<SendDetails, 'no' | 'createdAt' | 'correctedAt'>,
) {
  if (correctedAt === null) return [];
  const { at, actorName: by, action, details } = auditLog;
  const was = (name: 'title' | 'body') => sql<string>`${details}->'was'->>${name}`;
  // By time, which the audit log has an index for.
  const isInTime = sql`${at} between ${createdAt}::timestamptz - interval '10 s' and ${correctedAt}::timestamptz + interval '10 s'`;
  const isOfSend = and(eq(action, 'notification.correct'), sql`(${details}->>'no')::bigint = ${no}`);
  return db()
    .select({ at, by, title: was('title'), body: was('body') })
    .from(auditLog)
    .where(and(eq(auditLog.companyId, companyId), isInTime, isOfSend))
    .orderBy(desc(auditLog.id))
    .limit(20);
}

// By time, which the audit log has an index for: the time at which the transaction of an entry began.
function selectEntry(time: Column, actions: string[]) {
  const { at, actorName: by, action, details, requestId } = auditLog;
  const isOfSend = sql`(${details}->>'no')::bigint in
    (${n.no}, case when ${action} = 'notification.withdraw' then ${n.remindsNo} end)`;
  const isInTime = between(at, sql`${time} - interval '10 s'`, time);
  const isEntry = and(eq(auditLog.companyId, n.companyId), isInTime, isAnyOf(action, actions), isOfSend);
  return db().select({ by, requestId }).from(auditLog).where(isEntry).limit(1);
}

/** One person's receipt of one send, or null when the send did not reach them or does not exist. */
export async function findRecipient(manager: Manager, no: number, employeeId: number): Promise<Recipient | null> {
  const isOne = and(eq(n.companyId, manager.companyId), eq(n.no, no), eq(reachedId, employeeId));
  return findRow(fromRecipients(db().select(recipientFields).from(n).$dynamic(), isOne).limit(1));
}

/** The 20 latest reminders of a send, or of one recipient, the newest first. */
export async function listReminders(manager: Manager, no: number, employeeId: number | null = null) {
  const reminder = alias(notifications, 'reminder');
  const ofReminder = and(eq(n.companyId, reminder.companyId), eq(n.no, reminder.no), sql`${reachedId} = ${employeeId}`);
  const reachesOne = fromRecipients(db().select({ no: n.no }).from(n).$dynamic(), ofReminder);
  const isChosen = employeeId === null ? undefined : exists(reachesOne);
  return db()
    .select({ no: reminder.no, createdAt: reminder.createdAt, reach: reminder.reach })
    .from(reminder)
    .where(and(eq(reminder.companyId, manager.companyId), eq(reminder.remindsNo, no), isChosen))
    .orderBy(desc(reminder.no))
    .limit(20);
}

/**
 * Text and recipients of a send, to send it again. A reminder has the recipients of its original, unless it was for one
 * person. If the send was to chosen people, the result has only its recipients, without the inactive ones.
 */
export async function findSendContent({ companyId }: Manager, no: number): Promise<DraftContent | null> {
  const recipients = sql<Recipients>`case
    when ${n.recipientId} is not null then jsonb_build_object('to', 'one', 'employeeId', ${n.recipientId})
    when ${original.toRoles} is not null then jsonb_build_object('to', 'roles', 'roles', ${original.toRoles})
    when ${original.isListed} then jsonb_build_object('to', 'people', 'employeeIds', array(
      select employee_id from notification_people where company_id = ${companyId} and no = ${original.no}
      order by employee_id))
    else '{"to": "everyone"}' end`;
  const mustConfirm = sql<boolean>`${n.mustConfirm} or ${n.remindsNo} is not null`;
  return findRow(
    db()
      .select({ ...textFields, mustConfirm, answers: n.answers, recipients })
      .from(n)
      .innerJoin(original, isOriginal)
      .where(and(eq(n.companyId, companyId), eq(n.no, no))),
  );
}
