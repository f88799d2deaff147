import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { sql } from '#db/client.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { besideTested, startService } from '#e2e/support/service/service.ts';
import { serviceVersion } from '#platform/config/version.ts';

test('doctor and home page name a newer version, only where the operator wrote one', async ({ company }) => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-newest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const service = await startService({ ...besideTested, DATA_DIR: folder });
  await company.hire();
  // Before the first message was seen, the page shows the first steps only.
  await sql()`update employees set read_up_to = 1 where company_id = ${company.owner.companyId}`;
  const cookie = await openSessionOf(company.username);
  const page = async () => (await fetch(`${service.url}/owner?lang=en`, { headers: { cookie } })).text();
  const doctor = async () => (await runNotif(['doctor'], { DATA_DIR: folder })).output;
  for (const written of [null, serviceVersion(), '0.9.99', 'v99.10.1\n']) {
    const isShown = written === 'v99.10.1\n';
    if (written !== null) await writeFile(join(folder, 'newest-version'), written);
    expect([written, (await page()).includes('99.10.1')]).toEqual([written, isShown]);
    expect([written, (await doctor()).includes('Version 99.10.1 is out.')]).toEqual([written, isShown]);
  }
  await rm(join(folder, 'newest-version'));
  await mkdir(join(folder, 'newest-version'));
  expect(await page()).toContain('</html>');
  expect(await doctor()).toContain('newest-version in DATA_DIR cannot be read (EISDIR).');
});
