import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifAbsent } from '#platform/absent-file.ts';
import { generateTyped } from '#server/accounts/sessions/tokens.ts';
import { createCompany, hasOwner } from '#server/companies/companies.ts';
import { addEmployee, addMyself, setEmployeesActive } from '#server/employees/employees.ts';
import { createInvitation } from '#server/employees/invitations.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import { createKey, fingerprintOf, fingerprintStartOf } from '#server/keys/keys.ts';
import type { Owner } from '#server/principals.ts';

export type DemoSignIn = { role: string; username: string; password: string };

/** What the trial prints. `key` is null except at the start that created the demo company. */
export type Demo = { signIns: DemoSignIn[]; keyFingerprint: string; key: string | null };

export const demoOwner = 'pemilik';

const people = [
  { username: 'karyawan1', name: 'Karyawan Contoh Satu', role: 'Kasir' },
  { username: 'karyawan2', name: 'Karyawan Contoh Dua', role: 'Gudang' },
  { username: 'karyawan3', name: 'Karyawan Contoh Tiga', role: 'Sopir' },
  { username: 'karyawan4', name: 'Karyawan Contoh Nonaktif', role: 'Magang' },
];

type Stored = { signIns: DemoSignIn[]; keyFingerprint: string };

/**
 * Creates the trial's demo company unless it exists: an owner, who is an employee too, four
 * employees (the last one inactive) and a key. Random passwords are stored in `demo.json` in the
 * data folder, mode 0600. Of the key only the fingerprint is stored.
 */
export async function openDemo(dataDir: string): Promise<Demo> {
  const file = join(dataDir, 'demo.json');
  const stored = (await readFile(file, 'utf8').then(JSON.parse, ifAbsent(null))) as Stored | null;
  if (await hasOwner()) return { ...(stored ?? { signIns: [], keyFingerprint: 'unknown' }), key: null };
  const signIns = stored?.signIns ?? makeSignIns();
  // Stored first: when the start is interrupted, no company exists without its sign-ins.
  await store(file, { signIns, keyFingerprint: stored?.keyFingerprint ?? '' });
  const key = await createDemoCompany(signIns);
  const keyFingerprint = fingerprintStartOf(fingerprintOf(key));
  await store(file, { signIns, keyFingerprint });
  return { signIns, keyFingerprint, key };
}

function makeSignIns(): DemoSignIn[] {
  const employees = people.map(({ username, name }) => {
    const role = username === 'karyawan4' ? `${name} (inactive: cannot sign in)` : name;
    return { role, username, password: generateTyped(12) };
  });
  return [{ role: 'Pemilik / owner', username: demoOwner, password: generateTyped(12) }, ...employees];
}

async function store(file: string, content: Stored): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(content, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function requireCreated<T extends object | number>(outcome: T | string): T {
  if (typeof outcome === 'string') throw new Error(`the demo company could not be created: ${outcome}`);
  return outcome;
}

async function createDemoCompany(signIns: DemoSignIn[]): Promise<string> {
  const passwordOf = (username: string) => signIns.find((signIn) => signIn.username === username)?.password ?? '';
  const owner: Owner = requireCreated(
    await createCompany({
      companyName: 'Perusahaan Contoh (Demo)',
      timeZone: 'Asia/Jakarta',
      ownerName: 'Pemilik Contoh',
      username: demoOwner,
      password: passwordOf(demoOwner),
    }),
  );
  // So the owner's first greeting rings in the same browser.
  await addMyself(owner, 'Pemilik');
  for (const { username, name, role } of people) {
    const id = requireCreated(await addEmployee(owner, { name, role }));
    const { token } = requireCreated(await createInvitation(owner, id));
    requireCreated(await acceptLink(token, username, passwordOf(username)));
    if (username === 'karyawan4') await setEmployeesActive(owner, [id], false);
  }
  return requireCreated(await createKey(owner, { name: 'Demo' })).key;
}
