import { join } from 'node:path';
import { disconnect } from '#db/client.ts';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { forgetOwners } from '#db/service-role.ts';
import { pagesFolder } from '#platform/config/build.ts';
import { EnvError } from '#platform/config/checks.ts';
import { takeOwnerUrl } from '#platform/config/database.ts';
import { adopt, env, findOpenSettingsFile, loadSettings } from '#platform/config/settings.ts';
import { log, surviveFullLog } from '#platform/log/log.ts';
import { listMissingIssuers } from '#server/accounts/sign-in/only-provider.ts';
import { hasOwner, setupCode } from '#server/companies/companies.ts';
import { shareBuild } from '#server/front/build-files.ts';
import { requireFreePort } from '#server/runtime/bind-server.ts';
import { buildIfNeeded, requireBuild } from '#server/runtime/build-pages.ts';
import { fitConnections } from '#server/runtime/fit-connections.ts';
import { createHttpService } from '#server/runtime/http-service.ts';
import { Shutdown } from '#server/runtime/shutdown.ts';
import { openDatabase, printDemo } from '#server/runtime/trial.ts';

const shutdown = new Shutdown();

surviveFullLog();
surviveLostConnections();
shutdown.begin(start);

/**
 * Starts the service. It takes connections when it can serve them: a proxy would prefer an idle process that cannot.
 * Only a trial, and a process whose database is away, answers 503 meanwhile.
 */
async function start(): Promise<void> {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) throw new EnvError(`${argument}: the start takes no arguments.`);
  loadSettings();
  const settings = env();
  const openFile = findOpenSettingsFile();
  if (openFile)
    log().warn({ file: openFile }, 'everyone on this machine can read the settings file, which holds secrets');
  const ownerUrl = takeOwnerUrl();
  if (!settings.trial) await requireBuild();

  // Imported on demand: without METRICS_PORT the library is not loaded.
  if (settings.METRICS_PORT !== undefined) await (await import('#server/runtime/metrics-server.ts')).openMetrics();
  const service = createHttpService();
  shutdown.setServing((idle) => service.stop(idle));
  const isEarly = settings.trial || settings.PORT === 0;
  let listening: Promise<number> | undefined;
  const listen = () => (listening ??= service.listen());
  if (!isEarly) await requireFreePort();
  const port = isEarly ? await listen() : settings.PORT;

  const appUrl = settings.PORT === 0 ? settings.APP_URL.replace(/:0$/, `:${port}`) : settings.APP_URL;
  const { secrets, publish } = await openDatabase(appUrl, ownerUrl, shutdown.add.bind(shutdown), listen);
  adopt({ ...secrets, appUrl, connections: await fitConnections() });
  forgetOwners();
  shutdown.add(() => disconnect(1));

  if (settings.trial) await buildIfNeeded(() => console.log('Building the pages, once; this takes up to one minute.'));
  // Before a page of this build can ask another process for its scripts.
  await shareBuild(join(import.meta.dirname, '..', '..', pagesFolder()));
  await service.serve(port);
  await listen();
  await publish?.(appUrl);

  if (settings.trial) await printDemo(appUrl);
  else await printReady(appUrl);
}

async function printReady(appUrl: string): Promise<void> {
  console.log(`Staff Notification API is running at ${appUrl}`);
  // The service serves already: a database that is lost at this moment must not end it.
  for (const missing of await listMissingIssuers().catch(() => []))
    log().warn(missing, 'companies sign in with a provider only that OIDC_PROVIDERS does not have');
  if (!(await hasOwner().catch(() => true)))
    console.log(
      `No company exists yet. Create the first one at ${appUrl}/setup with the code ${setupCode()}\n` +
        `or open ${appUrl}/setup#${setupCode()}`,
    );
}
