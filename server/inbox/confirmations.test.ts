import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { databaseUrl } from '#platform/config/database.ts';
import { confirmNotification } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';
import type { Employee, Session } from '#server/principals.ts';
import { remind } from '#server/sends/manual/remind.ts';

test('a confirmation and the read marks of its reminders are stored together or not at all', async () => {
  const company = await makeCompany();
  const { owner } = company;
  const employee = await company.hire();
  const no = await writeManualDraft(company, { mustConfirm: true });
  const { no: reminderNo } = (await remind(owner, no, null)) as { no: number };
  const session = { employee, account: owner } as unknown as Session & { employee: Employee };
  const { companyId, employeeId } = employee;
  const otherConnection = connect(databaseUrl(), 1);
  // Holds the reminder's receipt until the confirmation's lock timeout (2 s).
  await otherConnection.begin(async (tx) => {
    await tx`insert into receipts (company_id, employee_id, no, shown_at)
      values (${companyId}, ${employeeId}, ${reminderNo}, now())`;
    await expect(confirmNotification(session, no)).rejects.toMatchObject({ code: '55P03' });
  });
  await otherConnection.end();
  expect(await sql()`select from receipts where company_id = ${companyId} and confirmed_at is not null`).toHaveLength(
    0,
  );
  expect(await confirmNotification(session, no)).toEqual({ confirmedAt: expect.any(Date) });
  expect((await countUnread(employee)).count).toBe(0);
});
