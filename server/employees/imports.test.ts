import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired } from '#e2e/support/data/calls.ts';
import { type Company, must } from '#e2e/support/data/company.ts';
import { words } from '#e2e/support/data/random.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { listAudit } from '#server/audit/list.ts';
import { countEmployees, listEmployees } from '#server/employees/employee-list.ts';
import { addEmployee, addMyself, editEmployee, setEmployeesActive } from '#server/employees/employees.ts';
import {
  applyImport,
  checkRows,
  createImport,
  effectOf,
  findImport,
  type ImportRow,
} from '#server/employees/imports.ts';
import { listInboxSince } from '#server/inbox/inbox.ts';
import { sendNotification } from '#server/sends/by-key.ts';

const list = (...people: [string, string][]) => people.map(([name, role], at) => ({ line: at + 1, name, role }));

async function keep({ owner }: Company, rows: ImportRow[]): Promise<string> {
  const id = await createImport(owner, rows);
  if (id === 'empty' || id === 'too-many') throw new Error(id);
  return id;
}

const countActive = async ({ owner }: Company) => {
  const [row] = await sql()`select active_employees as count from companies where id = ${owner.companyId}`;
  return row?.count;
};

test('applying a list adds the rows without problems, audited, and keeps the others', async ({ company, other }) => {
  await company.hire('Sudah Ada');
  await other.hire('Uji Satu');
  const rows = list(['Uji Satu', 'Kasir'], ['', 'Sopir'], ['sudah ada', 'x'], ['Uji\0', 'x'], ['Uji Dua', 'y']);
  const id = await keep(company, rows);
  const preview = await findImport(company.owner, id);
  expect(preview?.state).toBe('waiting');
  const problems = preview?.rows.map((row) => row.problems.map(({ code }) => code).join());
  expect(problems).toEqual(['', 'missing', 'known', 'forbidden', '']);
  expect(await countEmployees(company.owner)).toBe(1);
  expect(await applyImport(company.owner, id)).toEqual({ added: 2, changed: 0 });
  const people = await listEmployees(company.owner, { sort: 'new' });
  expect(people).toMatchObject([
    { name: 'Uji Dua', role: 'y', active: true },
    { name: 'Uji Satu', role: 'Kasir', active: true },
    { name: 'Sudah Ada', role: 'Penguji' },
  ]);
  expect(await countActive(company)).toBe(3);
  const entries = (await listAudit(company.owner)).entries.slice(0, 3);
  const added = people.slice(0, 2).map(({ id: employeeId, name, role }) => ({ employeeId, name, role }));
  expect(entries.map(({ details }) => details)).toEqual([...added, { count: 2 }]);
  expect(entries.map(({ action }) => action)).toEqual(words('employee.add employee.add employee.import'));
  expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(1);
  const after = await findImport(company.owner, id);
  expect(after).toMatchObject({ state: 'added', added: 2 });
  expect(after?.rows.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(await countEmployees(other.owner)).toBe(1);
});

test('an imported employee receives the next broadcast and not the last one', async ({ company, sender }) => {
  const broadcast = async (title: string) => must(await sendNotification(sender, { ...keyDraft, title }, 'x')).reach;
  await company.hire();
  expect(await broadcast('Sebelum')).toBe(1);
  await applyImport(company.owner, await keep(company, list(['Uji Satu', 'Kasir'])));
  expect(await broadcast('Sesudah')).toBe(2);
  const [employee] = await listEmployees(company.owner, { sort: 'new' });
  const principal = { ...company.owner, kind: 'employee', employeeId: employee?.id ?? 0 } as const;
  expect((await listInboxSince(principal, 0)).map(({ title }) => title)).toEqual(['Sesudah']);
});

test('rows of a taken name are left out unless the import takes them for other people', async ({ company, other }) => {
  await company.hire('Siti');
  const rows = [...list(['Siti', 'Kasir'], ['Uji', 'Kasir'], ['uji', 'Sopir'], ['', 'Gudang'])];
  expect(await applyImport(company.owner, await keep(company, rows))).toEqual({ added: 1, changed: 0 });
  const elsewhere = await applyImport(other.owner, await keep(other, rows), { namesakes: true });
  expect(elsewhere).toEqual({ added: 3, changed: 0 });
  const id = await keep(company, rows);
  // Tono was no namesake in the preview.
  const shown = await findImport(company.owner, await keep(company, list(['Siti', 'Kasir'], ['Tono', 'Kasir'])));
  await company.hire('Tono');
  const hasShown = { effectsHash: shown?.effectsHash, namesakes: true };
  expect(await applyImport(company.owner, shown?.id ?? '', hasShown)).toBe('stale');
  expect(await applyImport(company.owner, id, { namesakes: true })).toEqual({ added: 3, changed: 0 });
  expect((await findImport(company.owner, id))?.rows.map(({ line }) => line)).toEqual([4]);
  // A number of their own says it, too.
  const numbers = numbered(['Wati', 'Kasir', 'A1'], ['Wati', 'Kasir', 'A2']);
  expect(await applyImport(company.owner, await keep(company, numbers))).toEqual({ added: 2, changed: 0 });
});

test('a list has 1 to 5,000 rows, and 5,000 are added within 20 s', async ({ company }) => {
  expect(await createImport(company.owner, [])).toBe('empty');
  const rows = Array.from({ length: 5001 }, (_, at) => ({ line: at + 1, name: `Uji ${at}`, role: 'Kasir' }));
  expect(await createImport(company.owner, rows)).toBe('too-many');
  const id = await keep(company, rows.slice(1));
  const started = performance.now();
  expect(await applyImport(company.owner, id)).toEqual({ added: 5000, changed: 0 });
  const ms = performance.now() - started;
  process.stdout.write(`5,000 rows were added in ${Math.round(ms)} ms\n`);
  expect(ms).toBeLessThan(20_000);
  expect(await countActive(company)).toBe(5000);
});

test('lists older than 7 days are deleted', async ({ company }) => {
  const [old, young] = [await keep(company, list(['A', 'a'])), await keep(company, list(['B', 'b']))];
  await sql()`update imports set created_at = now() - interval '8 days' where company_id = ${company.owner.companyId} and id = ${old}`;
  await deleteExpired();
  expect(await findImport(company.owner, old)).toBeNull();
  expect(await findImport(company.owner, young)).not.toBeNull();
});

type NumberedRow = [name: string, role: string, staffNumber: string];

const numbered = (...people: NumberedRow[]) =>
  people.map(([name, role, staffNumber], at) => ({ line: at + 1, name, role, staffNumber }));

const hireWithNumber = async ({ owner }: Company, [name, role, staffNumber]: NumberedRow) =>
  must(await addEmployee(owner, { name, role, staffNumber: staffNumber || null }));

const stateOf = async ({ owner }: Company) =>
  (await listEmployees(owner))
    .map(({ id, name, role, staffNumber, active }) => ({ id, name, role, staffNumber, active }))
    .toSorted((one, other) => one.id - other.id);

test('rows with a known staff number update people, others add them, as previewed', async ({ company, other }) => {
  const changed = await hireWithNumber(company, ['Siti Lama', 'Kasir', 'A1']);
  const same = await hireWithNumber(company, ['Budi', 'Gudang', 'A2']);
  const unnumbered = await hireWithNumber(company, ['Tono', 'Sopir', '']);
  await hireWithNumber(company, ['Kembar', 'x', '']);
  await hireWithNumber(company, ['Kembar', 'x', '']);
  const theirs = await hireWithNumber(other, ['Orang Lain', 'Kasir', 'A9']);
  const rows = numbered(
    ['Siti Baru', 'Kepala kasir', 'A1'],
    ['Budi', '', 'A2'],
    ['TONO', 'Sopir', 'A3'],
    ['Kembar', 'x', 'A4'],
    ['Wati', 'Kasir', 'A9'],
    ['Wati Dua', 'Kasir', 'A9'],
    ['Rina', 'Kasir', ''],
    ['Panjang', 'Kasir', '9'.repeat(41)],
  );
  const id = await keep(company, rows);
  const preview = await findImport(company.owner, id);
  const effects = words('changes same changes problem new problem new problem');
  expect(preview?.rows.map(effectOf)).toEqual(effects);
  expect(preview?.rows.flatMap(({ person }) => person?.employeeId ?? [])).toEqual([changed, same, unnumbered]);
  const problems = preview?.rows.flatMap((row) => row.problems.map(({ code }) => code));
  expect(problems).toEqual(['known', 'repeatedNumber', 'too_long']);
  expect(await applyImport(company.owner, id, { effectsHash: preview?.effectsHash })).toEqual({ added: 2, changed: 2 });
  expect(await applyImport(company.owner, id, { effectsHash: 'anything' })).toEqual({ added: 2, changed: 2 });
  expect((await stateOf(company)).map(({ name, role, staffNumber }) => [name, role, staffNumber])).toEqual([
    ['Siti Baru', 'Kepala kasir', 'A1'],
    ['Budi', 'Gudang', 'A2'],
    ['TONO', 'Sopir', 'A3'],
    ['Kembar', 'x', null],
    ['Kembar', 'x', null],
    ['Wati', 'Kasir', 'A9'],
    ['Rina', 'Kasir', null],
  ]);
  expect(await countActive(company)).toBe(7);
  expect(await stateOf(other)).toMatchObject([{ id: theirs, name: 'Orang Lain' }]);
  const entries = (await listAudit(company.owner)).entries.slice(0, 5);
  const actions = words('employee.edit employee.edit employee.add employee.add employee.import');
  expect(entries.map(({ action }) => action)).toEqual(actions);
  expect(entries.at(-1)?.details).toEqual({ count: 2, changed: 2 });
});

test('a preview that is out of date saves nothing and is shown anew', async ({ company }) => {
  const id = await hireWithNumber(company, ['Siti', 'Kasir', 'A1']);
  const list = await keep(company, numbered(['Siti', 'Gudang', 'A1'], ['Wati', 'Kasir', 'A2']));
  const before = await findImport(company.owner, list);
  await editEmployee(company.owner, id, { name: 'Siti Aminah', role: 'Kasir' });
  const state = await stateOf(company);
  expect(await applyImport(company.owner, list, { effectsHash: before?.effectsHash })).toBe('stale');
  expect(await stateOf(company)).toEqual(state);
  const after = await findImport(company.owner, list);
  expect(after).toMatchObject({ state: 'waiting' });
  expect(after?.rows[0]?.person).toMatchObject({ name: 'Siti Aminah' });
  expect(await applyImport(company.owner, list, { effectsHash: after?.effectsHash })).toEqual({ added: 1, changed: 1 });
});

test('of two concurrent imports of one list of numbers, the second is out of date', async ({ company }) => {
  const rows = numbered(['Siti', 'Kasir', 'A1'], ['Wati', 'Kasir', 'A2']);
  const lists = [await keep(company, rows), await keep(company, rows)];
  const effectsHash = (await findImport(company.owner, lists[0] ?? ''))?.effectsHash;
  const outcomes = await Promise.all(lists.map((list) => applyImport(company.owner, list, { effectsHash })));
  expect(outcomes).toContainEqual({ added: 2, changed: 0 });
  expect(outcomes).toContain('stale');
  expect(await countEmployees(company.owner)).toBe(2);
});

test('inactive people of a list are updated and stay inactive', async ({ company }) => {
  const siti = await hireWithNumber(company, ['Siti', 'Kasir', 'A1']);
  const wati = await hireWithNumber(company, ['Wati', 'Kasir', 'A2']);
  await setEmployeesActive(company.owner, [siti, wati], false);
  const rows = numbered(['Siti', 'Gudang', 'A1'], ['Wati', 'Kasir', 'A2']);
  expect(await applyImport(company.owner, await keep(company, rows))).toEqual({ added: 0, changed: 1 });
  expect(await stateOf(company)).toMatchObject(['Gudang', 'Kasir'].map((role) => ({ role, active: false })));
  expect(await countActive(company)).toBe(0);
});

test('a manager’s import changes no owner and no other manager', async ({ company }) => {
  const id = must(await addMyself(company.owner, 'Pemilik'));
  await editEmployee(company.owner, id, { name: 'Pemilik Uji', role: 'Pemilik', staffNumber: 'A1' });
  const manager = { ...company.owner, kind: 'manager', accountId: company.owner.accountId + 1_000_000 } as const;
  const list = await keep(company, numbered(['Bukan Pemilik', 'Sopir', 'A1']));
  expect((await findImport(manager, list))?.rows[0]?.problems).toEqual([{ code: 'protected' }]);
});

const row = (line: number, name: string, role = 'Kasir') => ({ line, name, role });
const problemsOf = (rows: ImportRow[], known = new Map<number, number>()) =>
  checkRows(rows, known).map(({ problems }) => problems);

test('each row has all its problems, with lengths in code points', () => {
  const field = 'name';
  const tooLong = { code: 'too_long', field, limit: 120, length: 121 };
  const missing = { code: 'missing', field };
  const cases: [name: string, role: string, problems: object[]][] = [
    ['Uji', 'Kasir', []],
    ['', '', [missing, { ...missing, field: 'role' }]],
    ['😀'.repeat(120), 'p'.repeat(60), []],
    ['😀'.repeat(121), 'p'.repeat(61), [tooLong, { code: 'too_long', field: 'role', limit: 60, length: 61 }]],
    ['\u{200b} ', 'Kasir', [missing]],
    ['Uji\u{7} bel', 'Kasir', [{ code: 'forbidden', field }]],
    ['Ren\u{fffd}', 'Kasir', [{ code: 'forbidden', field }]],
    ['Uji\nbaris', 'Kasir', [{ code: 'forbidden', field }]],
    ['12.', 'Kasir', [{ code: 'digits', field }]],
  ];
  for (const [name, role, problems] of cases) expect(problemsOf([row(1, name, role)]), name).toEqual([problems]);
});

test('of rows with one name, in any case and spacing, the first without a problem is valid', () => {
  const rows = [row(1, 'Uji Satu', ''), row(2, 'Uji Satu'), row(3, 'UJI  satu'), row(4, 'Lain')];
  const problems = problemsOf(rows, new Map([[4, 17]]));
  const missing = [{ code: 'missing', field: 'role' }];
  expect(problems).toEqual([missing, [], [{ code: 'repeated', line: 2 }], [{ code: 'known', employeeId: 17 }]]);
});
