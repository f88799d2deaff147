import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { lacks, programPath } from '#e2e/support/programs.ts';
import { startProgram } from '#e2e/support/running.ts';
import { root } from '#e2e/support/service/service.ts';

// Debian's own PostgreSQL and its tools, whichever version this machine has.
const cluster = `notif${randomBytes(4).toString('hex')}`;
const env = { PATH: programPath, LC_ALL: 'C' };

const run = (program: string, ...args: string[]) => execa(program, args, { env, extendEnv: false, all: true });

test.skipIf(lacks('pg_restorecluster'))(
  'the printed lines bring a cluster back to a point in time, from what Debian’s units keep (X23)',
  { timeout: 120_000 },
  async () => {
    const version = (await readdir('/usr/lib/postgresql')).sort().at(-1) ?? '';
    const backups = `/var/backups/postgresql/${version}-${cluster}`;
    const query = async (name: string, sql: string) =>
      (await run('runuser', '-u', 'postgres', '--', 'psql', '--cluster', `${version}/${name}`, '-XAtqc', sql)).stdout;
    await run('pg_createcluster', '--start', version, cluster);
    try {
      // What the units pg_receivewal@ and pg_basebackup@ run.
      await run('pg_backupcluster', `${version}-${cluster}`, 'createdirectory');
      const receiving = startProgram('pg_backupcluster', [`${version}-${cluster}`, 'receivewal'], { env });
      await expect
        .poll(() => query(cluster, 'select count(*) from pg_stat_replication'), { timeout: 20_000 })
        .toBe('1');
      await run('pg_backupcluster', `${version}-${cluster}`, 'basebackup');
      await query(cluster, "create table sends (title text); insert into sends values ('before')");
      const at = await query(cluster, 'select clock_timestamp()');
      await query(cluster, "insert into sends values ('mistake')");
      await query(cluster, 'select pg_switch_wal()');
      const isReceived = () =>
        query(cluster, 'select bool_and(flush_lsn >= pg_current_wal_lsn()) from pg_stat_replication');
      await expect.poll(isReceived, { timeout: 20_000 }).toBe('t');
      await receiving.stop(10_000);

      const page = await readFile(join(root, 'docs', 'backup.md'), 'utf8');
      const [, lines = ''] = /^## A point in time\n[\s\S]*?```sh\n([\s\S]*?)```/m.exec(page) ?? [];
      const printed = lines
        .replace(/at='[^']*'/, `at='${at}'`)
        .replaceAll('17-main', `${version}-${cluster}`)
        .replace('17 restored', `${version} ${cluster}r`);
      await run('sh', '-euc', printed);
      expect(await query(`${cluster}r`, 'select title from sends')).toBe('before');
      expect(await query(cluster, 'select count(*) from sends')).toBe('2');
    } finally {
      for (const name of [`${cluster}r`, cluster]) await run('pg_dropcluster', '--stop', version, name).catch(() => {});
      await rm(backups, { recursive: true, force: true });
    }
  },
);
