import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { listSends } from '#server/sends/history/send-list.ts';
import { sendDue } from '#server/sends/planned/due-sends.ts';

/** Makes the waiting sends of a company due since some time. */
export const makeDue = ({ owner }: Company, ago = '1 second') => sql()`
  update planned_sends set leaves_at = now() - ${ago}::text::interval
  where company_id = ${owner.companyId} and undone_at is null and missed_at is null`;

/**
 * Sends what is due. Other test files share the database. This skips a send that one of their
 * processes is sending, and waits until none is due.
 */
export const sendAllDue = ({ owner }: Company) =>
  expect
    .poll(
      async () => {
        await sendDue();
        return sql()`
          select from planned_sends where company_id = ${owner.companyId} and undone_at is null and missed_at is null
            and leaves_at <= now()`;
      },
      { timeout: 20_000, interval: 20 },
    )
    .toEqual([]);

/** Returns the titles of a company's sends, oldest first. */
export const listTitles = async ({ owner }: Company) =>
  (await listSends(owner, { limit: 100 })).sends.map(({ title }) => title).reverse();
