import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { readFailureExamples } from '#e2e/support/http/documented.ts';
import { expectCommon, withKey } from '#e2e/support/http/interface.ts';
import { freePort, startService } from '#e2e/support/service/service.ts';
import { generateKey } from '#server/keys/keys.ts';

const health = async (url: string, path: 'live' | 'ready') => {
  const response = await fetch(`${url}/health/${path}`);
  return [response.status, await response.json()];
};
const settings = (url: string) => ({ DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' });

test('/health/live returns 200; /health/ready returns 503 with the reason until the service is ready', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-health-'));
  const port = await freePort();
  const service = await startService(
    settings(`postgres://notif:x@127.0.0.1:${port}/postgres`),
    undefined,
    /Waiting for/,
  );
  expect(await health(service.url, 'live')).toEqual([200, { live: true }]);
  expect(await health(service.url, 'ready')).toEqual([503, { ready: false, missing: ['pages', 'database'] }]);
  await service.stop();

  const database = await startEmbedded(folder);
  const started = await startService(settings(database.url));
  await expect.poll(() => health(started.url, 'ready'), { timeout: 20_000 }).toEqual([200, { ready: true }]);

  const admin = postgres(database.adminUrl, { max: 1 });
  await admin`alter system set default_transaction_read_only = on`;
  await admin`select pg_reload_conf()`;
  const readOnly = [503, { ready: false, missing: ['database_read_only'] }];
  await expect.poll(() => health(started.url, 'ready'), { timeout: 10_000 }).toEqual(readOnly);
  await admin.end();

  await database.stop();
  const withoutDatabase = [503, { ready: false, missing: ['database'] }];
  await expect.poll(() => health(started.url, 'ready'), { timeout: 10_000 }).toEqual(withoutDatabase);
  expect(await health(started.url, 'live')).toEqual([200, { live: true }]);
  const answer = await fetch(`${started.url}/api/v1/notif.php`, { method: 'POST', headers: withKey(generateKey()) });
  expectCommon(answer);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.json()).toEqual((await readFailureExamples()).unavailable);
  await started.stop();
  await rm(folder, { recursive: true, force: true });
});
