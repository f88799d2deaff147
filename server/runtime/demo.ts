import { randomInt } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCompany, hasOwner } from '#server/companies/companies.ts';
import { addEmployee, setEmployeeActive } from '#server/employees/employees.ts';
import { acceptInvitation, createInvitation } from '#server/employees/invitations.ts';
import { createKey, fingerprintOf, fingerprintStartOf } from '#server/keys/keys.ts';
import type { Owner } from '#server/principals.ts';

/** One way into the demo company. */
export type DemoSignIn = { role: string; username: string; password: string };

/** What the trial prints: sign-ins at every start, the key only at the one that made it. */
export type Demo = { signIns: DemoSignIn[]; keyFingerprint: string; key: string | null };

const people = [
  { username: 'karyawan1', name: 'Karyawan Contoh Satu', role: 'Kasir' },
  { username: 'karyawan2', name: 'Karyawan Contoh Dua', role: 'Gudang' },
  { username: 'karyawan3', name: 'Karyawan Contoh Tiga', role: 'Sopir' },
  { username: 'karyawan4', name: 'Karyawan Contoh Nonaktif', role: 'Magang' },
];

// Without letters and digits that look alike: people type these.
const readable = 'abcdefghjkmnpqrstuvwxyz23456789';
const makePassword = () => Array.from({ length: 12 }, () => readable[randomInt(readable.length)]).join('');

type Stored = { signIns: DemoSignIn[]; keyFingerprint: string };

/**
 * Makes the trial's demo company once: an owner, four employees of whom the last is inactive, one key. The
 * passwords are random and kept in the data folder, readable by its owner only; of the key only the
 * fingerprint is kept.
 */
export async function openDemo(dataDir: string): Promise<Demo> {
  const file = join(dataDir, 'demo.json');
  const stored = (await readFile(file, 'utf8').then(JSON.parse, () => null)) as Stored | null;
  if (await hasOwner()) return { ...(stored ?? { signIns: [], keyFingerprint: 'unknown' }), key: null };
  const ownerSignIn = { role: 'Pemilik / owner', username: 'pemilik', password: makePassword() };
  const signIns = stored?.signIns ?? [
    ownerSignIn,
    ...people.map(({ username, name }) => ({
      role: username === 'karyawan4' ? `${name} (inactive: cannot sign in)` : name,
      ...{ username, password: makePassword() },
    })),
  ];
  // Kept before they are used: whenever the company exists, so do its sign-ins.
  await store(file, { signIns, keyFingerprint: stored?.keyFingerprint ?? '' });
  const key = await makeCompany(signIns);
  const keyFingerprint = fingerprintStartOf(fingerprintOf(key));
  await store(file, { signIns, keyFingerprint });
  return { signIns, keyFingerprint, key };
}

async function store(file: string, content: Stored): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(content, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function must<T extends object>(made: T | string): T {
  if (typeof made === 'string') throw new Error(`the demo company could not be made: ${made}`);
  return made;
}

async function makeCompany(signIns: DemoSignIn[]): Promise<string> {
  const passwordOf = (username: string) => signIns.find((signIn) => signIn.username === username)?.password ?? '';
  const owner: Owner = must(
    await createCompany({
      ...{ companyName: 'Perusahaan Contoh (Demo)', timeZone: 'Asia/Jakarta', ownerName: 'Pemilik Contoh' },
      ...{ username: 'pemilik', password: passwordOf('pemilik') },
    }),
  );
  for (const { username, name, role } of people) {
    const id = await addEmployee(owner, { name, role });
    const { token } = must(await createInvitation(owner, id));
    must(await acceptInvitation(token, username, passwordOf(username)));
    if (username === 'karyawan4') await setEmployeeActive(owner, id, false);
  }
  return must(await createKey(owner, { name: 'Demo' })).key;
}
