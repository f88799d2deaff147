import { sql } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';
import type { Manager } from '#server/principals.ts';

const maxMoved = 100;

// A row that a process of version 1.0 sends at this moment is locked, and stays where it is.
const move = (which: Fragment) => sql()`
  with moved as (
    delete from held_sends h using (
      select company_id, draft_id from held_sends where ${which} order by leaves_at limit ${maxMoved}
      for update skip locked
    ) found
    where h.company_id = found.company_id and h.draft_id = found.draft_id
    returning h.*
  )
  insert into planned_sends (company_id, draft_id, account_id, recipient_id, title, body, kind, url, must_confirm,
    is_planned, created_at, leaves_at, undone_at)
  select company_id, draft_id, account_id, recipient_id, title, body, kind, url, must_confirm, false, created_at,
    leaves_at, undone_at
  from moved on conflict do nothing`;

/**
 * Moves sends of version 1.0 that are due, of all companies. Those that wait stay, so that a process
 * of that version can still undo them.
 */
export async function moveHeldSends(): Promise<void> {
  await move(sql()`undone_at is null and leaves_at <= now()`);
}

/** Moves one draft of version 1.0, which a page asks about. */
export async function moveHeldDraft({ companyId }: Manager, draftId: string): Promise<void> {
  await move(sql()`company_id = ${companyId} and draft_id = ${draftId}::uuid`);
}
