import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { test } from '#e2e/support/data/test.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';
import { countEmployees, findEmployee, iterateEmployees, listEmployees } from '#server/employees/employee-list.ts';
import { createInvitation } from '#server/employees/invitations.ts';

async function openPortal(companyId: number, employeeId: number, sound: string | null, daysAgo: number): Promise<void> {
  await sql()`insert into portals (company_id, employee_id, browser_id, sound, seen_at)
    values (${companyId}, ${employeeId}, gen_random_uuid(), ${sound}, now() - ${daysAgo} * interval '1 day')`;
}

test('a search finds a part of name, role or username, or an id, without wildcards', async ({ company, other }) => {
  const first = await company.hire('Uji Satu', 'Kasir 100%');
  const second = await company.hire('Lain Éa_b', 'Gudang');
  await other.hire('Uji Satu', 'Kasir 100%');
  const username = await company.giveAccount(second);
  const find = async (search: string) => (await listEmployees(company.owner, { search })).map(({ id }) => id);
  for (const search of ['uJi s', 'KASIR', '00%', '%']) expect(await find(search), search).toEqual([first.employeeId]);
  for (const search of ['éA_', username.toUpperCase(), String(second.employeeId)])
    expect(await find(search), search).toEqual([second.employeeId]);
  expect(await find('a%b')).toEqual([]);
});

test('each filter finds the employees in its state, and the count agrees', async ({ company, other, owner }) => {
  const hire = async (name: string) => (await company.hire(name)).employeeId;
  const [never, invited, away, silent] = [await hire('A'), await hire('B'), await hire('C'), await hire('D')];
  const ringing = await company.hire('E');
  await company.giveAccount(ringing);
  const inactive = await company.hire('F');
  await company.deactivate(inactive);
  await createInvitation(owner, invited);
  // An invitation that is for no employee.
  await inviteOwner(owner, 'Calon Pemilik');
  await openPortal(owner.companyId, away, 'on', 8);
  await openPortal(owner.companyId, silent, 'on', 2);
  await openPortal(owner.companyId, silent, 'blocked', 1);
  await openPortal(owner.companyId, ringing.employeeId, 'muted', 3);
  await openPortal(owner.companyId, ringing.employeeId, 'on', 0);
  await openPortal(other.owner.companyId, (await other.hire('A')).employeeId, 'blocked', 8);
  const expected: [Parameters<typeof listEmployees>[1], number[]][] = [
    [{}, [never, invited, away, silent, ringing.employeeId, inactive.employeeId]],
    [{ state: 'inactive' }, [inactive.employeeId]],
    [{ state: 'active', account: 'none' }, [never, invited, away, silent]],
    [{ account: 'own' }, [ringing.employeeId]],
    [{ account: 'invited' }, [invited]],
    [{ account: 'uninvited', state: 'active' }, [never, away, silent]],
    [{ portal: 'never' }, [never, invited, inactive.employeeId]],
    [{ portal: 'away' }, [away]],
    [{ portal: 'silent' }, [silent]],
    [{ portal: 'silent', search: 'zzz' }, []],
  ];
  for (const [filter, ids] of expected) {
    const found = (await listEmployees(owner, filter)).map(({ id }) => id);
    expect([filter, found.toSorted((a, b) => a - b)]).toEqual([filter, ids]);
    expect(await countEmployees(owner, filter)).toBe(ids.length);
  }
});

test('pages list each employee once, also when employees are added in between', async ({ company }) => {
  for (let hired = 0; hired < 5; hired++) await company.hire(`Uji ${hired}`);
  const twoPages = async (behind: number, sort?: 'new') => {
    const first = await listEmployees(company.owner, { sort }, { limit: 2 });
    await company.hire('menyela');
    const second = await listEmployees(company.owner, { sort }, { before: first[1]?.id, limit: 3 });
    expect(await countEmployees(company.owner, { sort }, first[1]?.id)).toBe(behind);
    return [...first, ...second].map(({ name }) => name);
  };
  expect(await twoPages(3, 'new')).toEqual(['Uji 4', 'Uji 3', 'Uji 2', 'Uji 1', 'Uji 0']);
  expect(await twoPages(4)).toEqual(['menyela', 'Uji 0', 'Uji 1', 'Uji 2', 'Uji 3']);
  const everybody: string[] = [];
  for await (const { name } of iterateEmployees(company.owner, {})) everybody.push(name);
  expect(everybody).toHaveLength(7);
});

test('only the own company finds an employee, with account, invitation and portals', async ({ company, other }) => {
  const { employeeId } = await company.hire('Uji');
  await createInvitation(company.owner, employeeId);
  await openPortal(company.owner.companyId, employeeId, 'on', 2);
  await openPortal(company.owner.companyId, employeeId, 'muted', 1);
  const found = await findEmployee(company.owner, employeeId);
  expect(found).toMatchObject({ name: 'Uji', username: null, sessions: 0, devices: 0, portal: { sound: 'muted' } });
  expect(found?.portals.map(({ sound }) => sound)).toEqual(['muted', 'on']);
  expect(found?.invitedUntil?.getTime()).toBeGreaterThan(Date.now());
  expect(await findEmployee(other.owner, employeeId)).toBeNull();
});
