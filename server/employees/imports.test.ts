import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#harness/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { countEmployees, listEmployees } from '#server/employees/employee-list.ts';
import { applyImport, createImport, findImport, fixImportRow } from '#server/employees/imports.ts';
import { listInboxSince } from '#server/inbox/inbox.ts';
import { deleteExpired } from '#server/jobs/hourly-jobs.ts';
import { authenticateKey, fingerprintOf } from '#server/keys/keys.ts';
import { sendNotification } from '#server/sends/send.ts';

const list = (...people: [string, string][]) => people.map(([name, role], at) => ({ line: at + 1, name, role }));

async function keep({ owner }: Company, rows: { line: number; name: string; role: string }[]): Promise<string> {
  const id = await createImport(owner, rows);
  if (id === 'empty' || id === 'too-many') throw new Error(id);
  return id;
}

async function broadcaster(company: Company): Promise<(title: string) => Promise<number>> {
  const key = await authenticateKey(fingerprintOf(await company.newKey()));
  if (!key) throw new Error('the key is gone');
  return async (title) => {
    const draft = { recipientId: 0, title, body: 'Isi', kind: 'info', url: null } as const;
    const sent = await sendNotification(key, draft, 'x');
    if (typeof sent === 'string') throw new Error(sent);
    return sent.reach;
  };
}

const countActive = async ({ owner }: Company) => {
  const [row] = await sql()`select active_employees as count from companies where id = ${owner.companyId}`;
  return row?.count;
};

test('applying a list adds the rows without problems and keeps the others in the list', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  await company.hire('Sudah Ada');
  await other.hire('Uji Satu');
  const id = await keep(
    company,
    list(['Uji Satu', 'Kasir'], ['', 'Sopir'], ['sudah ada', 'x'], ['Uji\0', 'x'], ['Uji Dua', 'y']),
  );
  const preview = await findImport(company.owner, id);
  expect(preview?.state).toBe('waiting');
  expect(preview?.rows.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
    [],
    ['missing'],
    ['known'],
    ['forbidden'],
    [],
  ]);
  expect(await countEmployees(company.owner)).toBe(1);
  expect(await applyImport(company.owner, id)).toEqual({ added: 2 });
  const names = (await listEmployees(company.owner)).map(({ name, role, active }) => [name, role, active]);
  expect(names).toEqual([
    ['Uji Dua', 'y', true],
    ['Uji Satu', 'Kasir', true],
    ['Sudah Ada', 'Penguji', true],
  ]);
  expect(await countActive(company)).toBe(3);
  const after = await findImport(company.owner, id);
  expect(after).toMatchObject({ state: 'added', added: 2 });
  expect(after?.rows.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(await countEmployees(other.owner)).toBe(1);
});

test('concurrent applies add the rows once and return the same', async () => {
  const company = await makeCompany();
  const id = await keep(company, list(['Uji Satu', 'Kasir'], ['Uji Dua', 'Gudang']));
  const answers = await Promise.all([1, 2, 3].map(() => applyImport(company.owner, id)));
  expect(answers).toEqual([{ added: 2 }, { added: 2 }, { added: 2 }]);
  expect(await countEmployees(company.owner)).toBe(2);
  expect(await countActive(company)).toBe(2);
  const [spans] =
    await sql()`select count(*)::int as count from employment where company_id = ${company.owner.companyId}`;
  expect(spans?.count).toBe(2);
});

test('an imported employee receives the next broadcast and not the last one', async () => {
  const company = await makeCompany();
  const broadcast = await broadcaster(company);
  await company.hire();
  expect(await broadcast('Sebelum')).toBe(1);
  await applyImport(company.owner, await keep(company, list(['Uji Satu', 'Kasir'])));
  expect(await broadcast('Sesudah')).toBe(2);
  const [employee] = await listEmployees(company.owner);
  const { companyId, companyName, timeZone } = company.owner;
  const items = await listInboxSince(
    { kind: 'employee', companyId, companyName, timeZone, employeeId: employee?.id ?? 0, name: 'Uji Satu' },
    0,
  );
  expect(items.map(({ title }) => title)).toEqual(['Sesudah']);
});

test('the audit log has the import and each employee, under one request id', async () => {
  const company = await makeCompany();
  await applyImport(company.owner, await keep(company, list(['Uji Satu', 'Kasir'], ['Uji Dua', 'Gudang'])));
  const { entries } = await listAudit(company.owner);
  const [second, first, all] = entries;
  expect([all?.action, all?.details]).toEqual(['employee.import', { count: 2 }]);
  const people = await listEmployees(company.owner);
  expect([first, second].map((entry) => [entry?.action, entry?.details, entry?.actorName])).toEqual(
    people
      .toReversed()
      .map(({ id, name, role }) => ['employee.add', { employeeId: id, name, role }, company.owner.name]),
  );
  expect(new Set([all, first, second].map((entry) => entry?.requestId)).size).toBe(1);
  const found = await sql()`select 1 from audit_log
    where company_id = ${company.owner.companyId} and employee_id = ${people[0]?.id ?? 0}`;
  expect(found).toHaveLength(1);
});

test('a row can be fixed, and a namesake accepted, until the list is applied', async () => {
  const company = await makeCompany();
  const id = await keep(company, list(['Uji', 'Kasir'], ['uji', 'Sopir'], ['', 'Gudang']));
  const fix = (line: number, name: string, namesake: boolean) =>
    fixImportRow(company.owner, id, { line, name, role: 'Sopir', namesake });
  expect(await fix(2, 'uji', true)).toBe('fixed');
  expect(await fix(3, 'Uji Tiga', false)).toBe('fixed');
  expect(await fix(4, 'Tidak ada', false)).toBe('gone');
  expect((await findImport(company.owner, id))?.rows.every(({ problems }) => problems.length === 0)).toBe(true);
  expect(await applyImport(company.owner, id)).toEqual({ added: 3 });
  expect(await fix(1, 'Terlambat', false)).toBe('gone');
});

test('a list that is being applied has the state adding', async () => {
  const company = await makeCompany();
  const id = await keep(company, list(['Uji', 'Kasir']));
  await sql().begin(async (transaction) => {
    await transaction`select 1 from imports where company_id = ${company.owner.companyId} and id = ${id} for update`;
    expect((await findImport(company.owner, id))?.state).toBe('adding');
  });
  expect((await findImport(company.owner, id))?.state).toBe('waiting');
});

test("another company's list is not found", async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const id = await keep(company, list(['Uji', 'Kasir']));
  expect(await findImport(other.owner, id)).toBeNull();
  expect(await applyImport(other.owner, id)).toBe('gone');
  expect(await fixImportRow(other.owner, id, { line: 1, name: 'x', role: 'x' })).toBe('gone');
  expect((await findImport(company.owner, id))?.rows[0]?.name).toBe('Uji');
});

test('a list has 1 to 5,000 rows, and 5,000 are added within 20 s', async () => {
  const company = await makeCompany();
  expect(await createImport(company.owner, [])).toBe('empty');
  const rows = Array.from({ length: 5001 }, (_, at) => ({ line: at + 1, name: `Uji ${at}`, role: 'Kasir' }));
  expect(await createImport(company.owner, rows)).toBe('too-many');
  const id = await keep(company, rows.slice(1));
  const started = performance.now();
  expect(await applyImport(company.owner, id)).toEqual({ added: 5000 });
  const ms = performance.now() - started;
  process.stdout.write(`5,000 rows were added in ${Math.round(ms)} ms\n`);
  expect(ms).toBeLessThan(20_000);
  expect(await countActive(company)).toBe(5000);
});

test('lists older than 7 days are deleted', async () => {
  const company = await makeCompany();
  const [old, young] = [await keep(company, list(['A', 'a'])), await keep(company, list(['B', 'b']))];
  await sql()`update imports set created_at = now() - interval '8 days' where company_id = ${company.owner.companyId} and id = ${old}`;
  await deleteExpired();
  expect(await findImport(company.owner, old)).toBeNull();
  expect(await findImport(company.owner, young)).not.toBeNull();
});
