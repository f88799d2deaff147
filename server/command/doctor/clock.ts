import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { connect } from '#db/driver/connect.ts';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';

const run = promisify(execFile);
const name = 'clock';
const noticedMs = 2000;
const harmfulMs = 60_000;

/** Whether this machine and the database have the same time, and whether something keeps it right. */
export const clockCheck: Check = {
  name,
  run: async ({ database }) => [
    database ? await compare(database.url) : skipped(name, 'No database is known to compare the clock with.'),
    await askSystem(),
  ],
};

async function compare(url: string): Promise<Finding> {
  const sql = connect(url, 1);
  try {
    await sql`select 1`;
    const before = Date.now();
    const [row] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
    const after = Date.now();
    const difference = Math.abs((row?.at.getTime() ?? 0) - (before + after) / 2) - (after - before) / 2;
    const sentence = `This machine and the database differ by ${(Math.max(0, difference) / 1000).toFixed(1)} s.`;
    const cure = 'Install systemd-timesyncd or chrony on both machines, and check timedatectl.';
    if (difference > harmfulMs)
      return failing(name, `${sentence} People are signed out and devices get nothing.`, cure);
    return difference > noticedMs ? warning(name, sentence, cure) : ok(name, sentence);
  } catch {
    return skipped(name, 'The database is out of reach, so the clock was not compared.');
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function askSystem(): Promise<Finding> {
  const answer = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value']).catch(() => null);
  const isKept = answer?.stdout.trim();
  if (isKept === 'yes') return ok('clock-kept', 'The clock of this machine is kept right over the network.');
  if (isKept === 'no')
    return warning(
      'clock-kept',
      'Nothing keeps the clock of this machine right.',
      'apt-get install systemd-timesyncd, or chrony.',
    );
  return skipped('clock-kept', 'There is no timedatectl to say whether the clock is kept right.');
}
