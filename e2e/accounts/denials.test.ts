import { expect, test, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { scrape, sumOf } from '#e2e/machines/metrics.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { callAction } from '#e2e/support/http/call-action.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { besideTested, freePort, startService } from '#e2e/support/service/service.ts';
import { listAudit } from '#server/audit/list.ts';

type Who = 'employee' | 'manager' | 'owner' | 'nobody';
type Row = { who: Who; what: string; reason?: 'no-rights' | 'no-session'; recorded?: string };

const metricsPort = await freePort();
const service = await startService({ ...besideTested, METRICS_PORT: String(metricsPort) });
const company = await makeCompany();
const employee = await openSessionOf(await company.giveAccount(await company.hire('Karyawan Satu')));
const manager = await openSessionOf(await company.addManager('Manajer Satu'));
const cookies: Record<Who, string> = { employee, manager, owner: await openSessionOf(company.owner), nobody: '' };
await sql()`update sessions set proved_at = now() - interval '1 hour' where company_id = ${company.owner.companyId}`;

const rows: Row[] = [
  { who: 'employee', what: 'createKeyAction', reason: 'no-rights', recorded: 'createKeyAction' },
  { who: 'manager', what: 'changeCompanyAction', reason: 'no-rights', recorded: 'changeCompanyAction' },
  { who: 'manager', what: '/owner/keys/17', reason: 'no-rights', recorded: '/owner/keys' },
  { who: 'employee', what: '/owner/sends', reason: 'no-rights', recorded: '/owner/sends' },
  { who: 'manager', what: '/owner/audit/csv', reason: 'no-rights', recorded: '/owner/audit' },
  { who: 'nobody', what: 'revokeKeyAction', reason: 'no-session' },
  { who: 'owner', what: 'createKeyAction' },
  { who: 'owner', what: '/portal/settings' },
  { who: 'nobody', what: '/owner/keys' },
];

async function ask({ who, what }: Row): Promise<void> {
  const headers: Record<string, string> = cookies[who] ? { cookie: cookies[who] } : {};
  if (what.startsWith('/')) await fetch(service.url + what, { headers, redirect: 'manual' });
  else await callAction({ url: service.url, headers }, actionNamed(what), [{ name: 'Kunci' }]);
}

const trace = async () => {
  const { entries } = await listAudit(company.owner, { filter: { action: 'access.deny' } });
  const lines = service.output().match(/^\{.*"a request was denied"\}$/gm) ?? [];
  const metrics = await scrape(metricsPort);
  return {
    audited: entries.map(({ actorName, details }) => [actorName, details.target, details.reason]),
    logged: lines.map((line) => JSON.parse(line) as { target: string; reason: string; accountId?: number }),
    counted: sumOf(metrics, 'notif_denials_total'),
  };
};

const names: Record<Who, string> = { employee: 'Karyawan Satu', manager: 'Manajer Satu', owner: '', nobody: '' };

test.each(rows)('$who, $what: what is left in log, metrics and audit log', async (row) => {
  const before = await trace();
  await ask(row);
  const isDenied = row.reason !== undefined;
  await vi.waitFor(async () => {
    const { audited, logged, counted } = await trace();
    expect(counted - before.counted).toBe(isDenied ? 1 : 0);
    const newLines = logged.slice(before.logged.length);
    const line = { target: row.recorded ?? row.what, reason: row.reason };
    expect(newLines).toMatchObject(isDenied ? [line] : []);
    const newEntries = audited.slice(0, audited.length - before.audited.length);
    expect(newEntries).toEqual(row.recorded ? [[names[row.who], row.recorded, row.reason]] : []);
  }, 20_000);
});
