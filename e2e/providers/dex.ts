import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { programPath } from '#e2e/support/programs.ts';
import { freePort } from '#e2e/support/service/service.ts';

const password = 'kata sandi di Dex';
const hash = '$2y$10$o3rcYH9TLCSTlZlEe8Rlnea/nlRlegzsbREVNrdkXZHQvqfZXxrxO';
const people = ['pertama', 'berikutnya'] as const;

/** A Dex on this machine with one client and two people, whose names are those of `emailOf`. */
export type Dex = { entry: Record<string, string>; stop: () => Promise<void> };

export const emailOf = (person: (typeof people)[number]): string => `${person}@kantor.test`;

/** Starts Dex with a client for the service at `appUrl`. */
export async function startDex(appUrl: string): Promise<Dex> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-dex-'));
  const [port, id, clientSecret] = [await freePort(), 'dex', 'rahasia klien Dex'];
  // Another host than the service's, so that each is a third party to the other.
  const issuer = `http://localhost:${port}/dex`;
  const client = { id: 'notif', secret: clientSecret, name: 'Notif' };
  // YAML contains JSON. The client is as docs/providers.md says.
  const settings = {
    issuer,
    storage: { type: 'memory' },
    web: { http: `127.0.0.1:${port}` },
    enablePasswordDB: true,
    oauth2: { skipApprovalScreen: true },
    staticClients: [{ ...client, redirectURIs: [`${appUrl}/api/auth/callback/${id}`] }],
    staticPasswords: people.map((person) => ({ email: emailOf(person), hash, username: person, userID: person })),
  };
  const file = join(folder, 'dex.yaml');
  await writeFile(file, JSON.stringify(settings));
  const child = spawn('dex', ['serve', file], {
    env: { PATH: programPath } as never,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        printed += part;
        if (/listening on.*server.*http/i.test(printed)) resolve();
      });
    child.once('close', () => reject(new Error(`Dex did not start:\n${printed}`)));
  });
  return {
    entry: { id, issuer, clientId: client.id, clientSecret, label: 'Dex' },
    stop: async () => {
      process.off('exit', end);
      end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
      await rm(folder, { recursive: true });
    },
  };
}

/** Types name and password into the form of Dex. */
export async function signInAtDex(page: Page, person: (typeof people)[number]): Promise<void> {
  await page.locator('#login').fill(emailOf(person));
  await page.locator('input#password').fill(password);
  await page.locator('#submit-login').click();
}
