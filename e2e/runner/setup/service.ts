import { mkdir, writeFile } from 'node:fs/promises';
import { outboundLogVariables, reportFolder, startTestService } from '#e2e/runner/environment.ts';
import setUpDatabase from '#e2e/runner/setup/database.ts';
import { buildIfNeeded } from '#server/runtime/build-pages.ts';

/** The global setup of tests that call a service: builds pages and starts one, unless `npm test` has done so. */
export default async function setUpService(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.SERVICE_URL) return undefined;
  const stopDatabase = await setUpDatabase();
  await buildIfNeeded(() => process.stdout.write('Building the pages, because they have changed…\n'));
  await mkdir(reportFolder, { recursive: true });
  // The database of an earlier run had another address.
  await writeFile(outboundLogVariables.OUTBOUND_LOG, '');
  const { DATABASE_URL = '', AUTH_SECRET = '', SIGN_UP = '', PUSH_SERVICES = '' } = process.env;
  const variables = { DATABASE_URL, AUTH_SECRET, SIGN_UP, PUSH_SERVICES };
  const service = await startTestService({ ...variables, ...outboundLogVariables });
  Object.assign(process.env, { SERVICE_URL: service.url, OUTBOUND_LOG: outboundLogVariables.OUTBOUND_LOG });
  return async () => {
    await service.stop();
    await stopDatabase?.();
  };
}
