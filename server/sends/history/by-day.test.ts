import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';
import { countSendsByDay } from '#server/sends/history/send-list.ts';

test('sends are counted by day of the company’s zone, without the numbers of withdrawals', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
  await company.hire();
  await other.hire();
  for (let sent = 0; sent < 3; sent++) await writeManualDraft(other);
  const none = await countSendsByDay(owner);
  expect(none.map(({ sends }) => sends)).toEqual(Array.from({ length: 14 }, () => 0));
  for (let sent = 0; sent < 4; sent++) await writeManualDraft(company);
  await withdrawNotification(owner, 2);
  const days = await countSendsByDay(owner);
  expect(days.at(-1)).toEqual({ day: await today(owner.timeZone), sends: 4 });
  expect(days.slice(0, -1).every(({ sends }) => sends === 0)).toBe(true);
  expect(days).toHaveLength(14);
});

async function today(timeZone: string): Promise<string | undefined> {
  const [row] = await sql()<{ day: string }[]>`select (now() at time zone ${timeZone})::date::text as day`;
  return row?.day;
}
