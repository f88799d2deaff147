import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { insertCallers } from '#bench/companies.ts';
import type { Measured } from '#bench/report.ts';
import { disconnect, sql } from '#db/client.ts';
import { enterDatabase } from '#e2e/support/data/callers.ts';
import { toOne, toRoles } from '#e2e/support/data/sends.ts';
import { summarise } from '#e2e/support/figures.ts';
import type { Stage } from '#e2e/support/service/stage.ts';
import type { Recipients } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { remind } from '#server/sends/manual/remind.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';

const role = 'Kasir';

/**
 * P21: the time of a send by hand to a role compared with one to a person, in turns, and the time
 * for which a reminder to everyone of the role holds the lock of the company. The role has a tenth
 * of the employees.
 */
export async function measureRoles(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await stage.createDatabase();
  const employees = stage.quick ? 10_000 : 100_000;
  const ofRole = employees / 10;
  await enterDatabase(url);
  const [caller] = await insertCallers(adminUrl, { companies: 1, employees, keys: 1 });
  if (!caller) throw new Error('the company has no key');
  const admin = postgres(adminUrl, { max: 1 });
  await admin`update employees set role = ${role} where id >= ${caller.userId} and id < ${caller.userId + ofRole}`;
  await admin`vacuum (analyze)`;
  const manager = await findManager();
  const send = async (to: { recipients: Recipients }, mustConfirm = false) => {
    const draft = { title: 'Judul kiriman uji', body: 'Isi kiriman uji.', kind: 'info', url: null } as const;
    const started = performance.now();
    const sent = await sendManually(manager, { ...draft, ...to, draftId: randomUUID(), mustConfirm });
    if (typeof sent === 'string') throw new Error(sent);
    return { ...sent, ms: performance.now() - started };
  };
  const [onePerson, wholeRole] = [toOne(caller.userId), toRoles(role)];
  const ratios: number[] = [];
  const medians = { toRole: [] as number[], toOne: [] as number[] };
  for (let round = -1; round < (stage.quick ? 7 : 11); round++) {
    const times = { toRole: [] as number[], toOne: [] as number[] };
    for (let turn = 0; turn < 50; turn++) {
      times.toOne.push((await send(onePerson)).ms);
      times.toRole.push((await send(wholeRole)).ms);
    }
    if (round < 0) continue;
    const [roleMs, oneMs] = [summarise(times.toRole).value, summarise(times.toOne).value];
    medians.toRole.push(roleMs);
    medians.toOne.push(oneMs);
    ratios.push(roleMs / oneMs);
  }
  const locked: number[] = [];
  for (let turn = 0; turn < (stage.quick ? 5 : 9); turn++) {
    const { no } = await send(wholeRole, true);
    locked.push(await lockedDuring(admin, manager, () => remind(manager, no, null)));
  }
  await admin.end();
  await disconnect();
  const [all, one] = [summarise(medians.toRole).value, summarise(medians.toOne).value];
  const people = ofRole.toLocaleString('en-GB');
  return [
    {
      id: 'P21',
      what: `send by hand to a role of ${people} ÷ send by hand to one`,
      unit: '',
      goal: { atMost: 3 },
      ...summarise(ratios),
      note: `medians ${all.toFixed(2)} ms and ${one.toFixed(2)} ms`,
    },
    {
      id: 'P21',
      what: `reminder to a role of ${people}: lock of the company`,
      unit: 'ms',
      goal: { atMost: 100 },
      ...summarise(locked),
    },
  ];
}

async function findManager(): Promise<Manager> {
  const [row] = await sql()<{ companyId: number; accountId: number }[]>`
    select company_id as "companyId", min(id) as "accountId" from accounts group by company_id`;
  if (!row) throw new Error('there is no company');
  return { kind: 'manager', ...row, companyName: 'Contoh', timeZone: 'Asia/Jakarta', name: 'Contoh' };
}

// Another connection tries to lock the company's row all the time, and notes the longest time
// between two successes.
async function lockedDuring(admin: postgres.Sql, manager: Manager, work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  let longest = 0;
  for (let last = performance.now(); !isDone; ) {
    await admin`select from companies where id = ${manager.companyId} for no key update`;
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await done;
  return longest;
}
