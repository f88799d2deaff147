import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { toEveryone } from '#e2e/support/data/sends.ts';
import type { Owner } from '#server/principals.ts';
import { countSendsByDay } from '#server/sends/history/list.ts';
import { withdrawNotification } from '#server/sends/history/withdraw.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';

test('sends are counted by day of the company’s zone, without the numbers of withdrawals', async () => {
  const [{ owner, hire }, other] = [await makeCompany(), await makeCompany()];
  await hire();
  await other.hire();
  await sendTo(other.owner, 3);
  const none = await countSendsByDay(owner);
  expect(none.map(({ sends }) => sends)).toEqual(Array.from({ length: 14 }, () => 0));
  await sendTo(owner, 4);
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

async function sendTo(owner: Owner, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const draft = { ...toEveryone, title: `Pesan ${time}`, body: 'Isi', kind: 'info', url: null } as const;
    await sendManually(owner, { ...draft, draftId: randomUUID(), mustConfirm: false });
  }
}
