import { join } from 'node:path';
import postgres from 'postgres';
import { startCluster } from '#db/embedded.ts';
import { giveToService } from '#db/service-role.ts';
import { freePort, type Service, startOrExplain } from '#harness/service.ts';
import { benchSecret } from '#harness/stage.ts';

/** One of the two that are compared. */
export type SideName = 'old' | 'new';

/**
 * A service with default settings on a PostgreSQL of its own. `databasePid` is PostgreSQL's main
 * process, `adminUrl` a superuser's connection string.
 */
export type Side = {
  name: SideName;
  service: Service;
  adminUrl: string;
  databasePid: number;
  stop: () => Promise<void>;
};

/**
 * Starts the code in `folder` on a new cluster in `dataDir`. Both sides get the same settings of
 * PostgreSQL, which writes every commit to disk; each brings its own schema.
 */
export async function startSide(name: SideName, folder: string, dataDir: string): Promise<Side> {
  const cluster = await startCluster(join(dataDir, name));
  const adminUrl = cluster.adminUrl.replace(/\/postgres$/, '/bench');
  const admin = postgres(cluster.adminUrl, { max: 1, onnotice: () => {} });
  await admin`create database bench`;
  await admin.end();
  const settings = { DATABASE_URL: await giveToService(adminUrl), AUTH_SECRET: benchSecret, HOST: '127.0.0.1' };
  const service = await startFolder(folder, settings).catch(async (error) => {
    await cluster.stop();
    throw error;
  });
  const stop = async () => {
    await service.stop();
    await cluster.stop();
  };
  return { name, service, adminUrl, databasePid: cluster.pid, stop };
}

/** Starts the code in `folder` as an operator does who sets nothing: with the embedded database. */
export async function startTrial(folder: string, dataDir: string): Promise<{ service: Service; key: string }> {
  const service = await startFolder(folder, { DATA_DIR: dataDir }, /jss_\w+/);
  return { service, key: /jss_\w+/.exec(service.output())?.[0] ?? '' };
}

async function startFolder(folder: string, settings: Record<string, string>, ready?: RegExp): Promise<Service> {
  const port = String(await freePort());
  const variables = { ...settings, PORT: port, APP_URL: `http://127.0.0.1:${port}`, NODE_ENV: 'production' };
  return startOrExplain(variables, ['server/main.ts'], ready ?? /is running/, undefined, folder);
}
