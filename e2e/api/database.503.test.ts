import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { readFailureExamples } from '#e2e/support/http/examples.ts';
import { expectCommon, good } from '#e2e/support/http/interface.ts';
import { startService } from '#e2e/support/service/service.ts';
import { generateKey } from '#server/keys/keys.ts';

test('without a database: 503 with Retry-After, no 401, no stack trace; it recovers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-503-'));
  const database = await startEmbedded(folder);
  const service = await startService({ DATABASE_URL: database.url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' });
  const key = generateKey();
  const ask = async () => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const response = await fetch(`${service.url}/api/v1/notif.php`, {
      method: 'POST',
      headers,
      body: JSON.stringify(good),
    });
    expectCommon(response);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
  };
  expect((await ask()).status).toBe(401);
  await database.stop();
  for (let round = 0; round < 3; round++) {
    const failed = await ask();
    expect([failed.status, failed.retryAfter]).toEqual([503, '5']);
    expect(JSON.parse(failed.text)).toEqual((await readFailureExamples()).unavailable);
    expect(failed.text).not.toMatch(/ECONN|select|at .*\.ts/);
  }
  const back = await startEmbedded(folder, Number(new URL(database.url).port));
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(401);
  expect((await service.stop()).code).toBe(0);
  await back.stop();
  await rm(folder, { recursive: true, force: true });
});
