import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withConnection } from '#db/driver/connect.ts';
import { parseDatabaseUrl } from '#platform/config/database-url.ts';
import { type Check, type Finding, skipped, warning } from '#server/command/doctor/check.ts';
import { asGb, judgeFree } from '#server/command/doctor/machine.ts';

const name = 'database-disk';
const ownHosts = new Set(['localhost', '127.0.0.1', '::1']);
// Where PostgreSQL keeps its data on Debian and on Red Hat, if the role may not ask it.
const usualFolders = ['/var/lib/postgresql', '/var/lib/pgsql'];
const noticedBytes = 1024 ** 3;

/** What PostgreSQL says about its disk. `folder` is null when the role may not see it. */
export type DiskFacts = {
  folder: string | null;
  isLocal: boolean;
  isArchiving: boolean;
  archiveFailedAt: Date | null;
  slots: { name: string; isLost: boolean; kept: number }[];
};

/** Checks the disk of the database: its free space if it is local, and what keeps old log. */
export const databaseDiskCheck: Check = {
  name,
  run: async ({ settings, database }) => {
    if (!database) return [skipped('No database is known.')];
    const facts = await readFacts(database.directUrl).catch(() => null);
    if (!facts) return [skipped('The database is out of reach.')];
    // The disk of a trial is that of DATA_DIR.
    return settings?.trial ? describeLog(facts) : [await describeFree(facts), ...describeLog(facts)];
  },
};

const readFacts = (url: string): Promise<DiskFacts> =>
  withConnection(url, async (sql) => {
    const { hosts, isPooled } = parseDatabaseUrl(url);
    const [row] = await sql<Omit<DiskFacts, 'slots'>[]>`
      select (select setting from pg_settings where name = 'data_directory') as folder,
        inet_server_addr() is not distinct from inet_client_addr() as "isLocal",
        current_setting('archive_mode') <> 'off' as "isArchiving",
        (select last_failed_time from pg_stat_archiver
          where last_failed_time > coalesce(last_archived_time, '-infinity')) as "archiveFailedAt"`;
    if (!row) throw new Error('the database does not know itself');
    const slots = await sql<DiskFacts['slots']>`
      select slot_name as name, wal_status = 'lost' as "isLost",
        coalesce(pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end,
          restart_lsn), 0)::float8 as kept
      from pg_replication_slots where not active order by slot_name`;
    const isLocal = row.isLocal && !isPooled && hosts.every(({ host }) => ownHosts.has(host));
    return { ...row, isLocal, slots };
  });

async function describeFree({ folder, isLocal }: DiskFacts): Promise<Finding> {
  const at = isLocal ? (folder ?? usualFolders.find((one) => existsSync(one))) : undefined;
  const free = at ? await findFree(at) : null;
  if (at && free !== null)
    return judgeFree(free, `${asGb(free)} are free in ${at}, where the database ${folder ? 'is' : 'usually is'}.`);
  return skipped('PostgreSQL does not say how much of its disk is free: look at its machine or its provider.');
}

// This user may be able to enter only the parent folder.
async function findFree(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => statfs(dirname(folder)).catch(() => null));
  return found && found.bavail * found.bsize;
}

/** Says what keeps PostgreSQL from deleting its log, which then fills the disk. */
export function describeLog({ isArchiving, archiveFailedAt, slots }: DiskFacts): Finding[] {
  const found: Finding[] = [];
  if (isArchiving && archiveFailedAt)
    found.push(
      warning(
        `PostgreSQL could not archive its log (last at ${archiveFailedAt.toISOString()}), so the log grows.`,
        'See its own log for the reason, and correct archive_command or the place where it writes.',
      ),
    );
  for (const slot of slots.filter(({ isLost, kept }) => isLost || kept > noticedBytes))
    found.push(
      warning(
        slot.isLost
          ? `The replication slot ${slot.name} is lost: its reader cannot go on.`
          : `The replication slot ${slot.name} has no reader and keeps ${asGb(slot.kept)} of log.`,
        `Start its reader again, or remove it: select pg_drop_replication_slot('${slot.name}').`,
      ),
    );
  return found;
}
