import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { withFreshDatabase } from '#e2e/support/service/databases.ts';
import { freePort, startOrExplain } from '#e2e/support/service/service.ts';

const port = String(await freePort());
// `next dev` is ready before it compiles the jobs, which takes a busy machine most of a minute.
const compiled = { timeout: 120_000 };
const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', port];

test.each<[string, string[], RegExp]>([
  ['npm start', ['server/main.js'], /is running/],
  ['next start', next, /Ready in/],
  ['npm run dev', ['server/runtime/dev.ts'], /Ready in/],
])(
  '%s: what is planned leaves, what is snoozed comes back and what is old goes, though nobody asks',
  { timeout: 240_000 },
  async (_way, args, ready) => {
    await withFreshDatabase({ isMigrated: true }, async ({ url, admin }) => {
      const company = await makeCompany();
      const { companyId, accountId } = company.owner;
      const { employeeId } = await company.hire();
      await admin`
      insert into planned_sends (company_id, draft_id, account_id, title, body, kind, must_confirm, is_planned, leaves_at)
      values (${companyId}, gen_random_uuid(), ${accountId}, 'Rapat pagi', 'Isi', 'info', false, true, now())`;
      await admin`
      insert into imports (company_id, created_by, rows, created_at)
      values (${companyId}, ${accountId}, '[]', now() - interval '8 days')`;
      await admin`insert into hourly_jobs (name, ended_at) values ('imports', now() - interval '2 hours')`;
      const settings = { DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', PORT: port };
      const service = await startOrExplain({ ...settings, APP_URL: `http://127.0.0.1:${port}` }, args, ready);
      try {
        await expect.poll(() => admin`select title from notifications`, compiled).toEqual([{ title: 'Rapat pagi' }]);
        await admin`
        insert into receipts (company_id, employee_id, no, snoozed_until, snooze_push_at)
        select company_id, ${employeeId}, no, now(), now() from notifications`;
        await expect.poll(() => admin`select from imports`).toEqual([]);
        await expect.poll(() => admin`select from receipts where snooze_push_at is not null`).toEqual([]);
      } finally {
        await service.stop();
      }
    });
  },
);
