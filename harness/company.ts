import { randomUUID } from 'node:crypto';
import { noteSecret } from '#harness/secrets.ts';
import { createCompany } from '#server/companies/companies.ts';
import { addEmployee, setEmployeeActive } from '#server/employees/employees.ts';
import { acceptInvitation, createInvitation } from '#server/employees/invitations.ts';
import { createKey, revokeKey } from '#server/keys/keys.ts';
import { maxActiveKeys } from '#server/keys/limits.ts';
import type { Employee, Owner } from '#server/principals.ts';

/** A company of a test's own; nothing in it is shared with another test. */
export type Company = {
  owner: Owner;
  username: string;
  /** Makes an API key; each has its own 60 requests a minute. With the 51st the first is revoked. */
  newKey: (name?: string) => Promise<string>;
  /** Adds an active employee and answers their principal. */
  hire: (name?: string, role?: string) => Promise<Employee>;
  deactivate: (employee: Employee) => Promise<unknown>;
  activate: (employee: Employee) => Promise<unknown>;
  /** Invites an employee and answers the token that the address of the invitation ends with. */
  invite: (employee: Employee) => Promise<string>;
  /** Gives an employee an account and answers its username. */
  giveAccount: (employee: Employee) => Promise<string>;
};

/** The password of every account the tests make. */
export const password = 'kata sandi uji 123';
noteSecret(password);

function must<T extends object>(made: T | string): T {
  if (typeof made === 'string') throw new Error(`the fixture could not be made: ${made}`);
  return made;
}

/** Makes a company with nobody in it but its owner. */
export async function makeCompany(name = `Perusahaan Uji ${randomUUID().slice(0, 8)}`): Promise<Company> {
  const username = `pemilik-${randomUUID()}`;
  const wanted = { companyName: name, timeZone: 'Asia/Jakarta', ownerName: 'Pemilik Uji', username, password };
  const owner = must(await createCompany(wanted));
  const keyIds: number[] = [];
  const invite = async (employee: Employee) => {
    const { token } = must(await createInvitation(owner, employee.employeeId));
    noteSecret(token);
    return token;
  };
  return {
    invite,
    owner,
    username,
    newKey: async (keyName = `kunci ${randomUUID().slice(0, 8)}`) => {
      // A company has 50 active keys at most; the ones of earlier tests are not needed any more.
      if (keyIds.length === maxActiveKeys) await revokeKey(owner, keyIds.shift() ?? 0);
      const { id, key } = must(await createKey(owner, { name: keyName }));
      keyIds.push(id);
      noteSecret(key);
      return key;
    },
    hire: async (employeeName = 'Karyawan Uji', role = 'Penguji') => {
      const employeeId = await addEmployee(owner, { name: employeeName, role });
      const { companyId, companyName, timeZone } = owner;
      return { kind: 'employee', companyId, companyName, timeZone, employeeId, name: employeeName };
    },
    deactivate: (employee) => setEmployeeActive(owner, employee.employeeId, false),
    activate: (employee) => setEmployeeActive(owner, employee.employeeId, true),
    giveAccount: async (employee) => {
      const employeeUsername = `karyawan-${randomUUID()}`;
      must(await acceptInvitation(await invite(employee), employeeUsername, password));
      return employeeUsername;
    },
  };
}
