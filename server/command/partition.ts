import { defaultSizes, detachAudit, joinPartitions, partitionTables } from '#db/partitions.ts';
import { type Command, type Given, type Outcome, printProgress, UsageError } from '#server/command/command.ts';
import { databaseUrl, directDatabaseUrl, takeOwnerUrl } from '#server/env.ts';

const maxPartitions = 256;

/** `notif partition`: stores the tables that grow most in partitions, or in one piece again. */
export const command: Command = {
  words: [],
  about: 'Store notifications, receipts and the audit log in partitions. For large deployments.',
  details: [
    `Copies the three tables and locks them until it ends, so stop the service first. It needs free disk for a second
copy. Notifications and receipts are divided by company, the audit log by age. docs/scale.md says when this helps and how long
it takes. Run it again after a year: it then only prepares more partitions for the audit log.`,
    `--whole is the way back. --detach-audit DATE takes audit entries from before that day out of the log, in whole
partitions, and only those that no stored notification needs. They stay in the database as tables of their own until you dump and
drop them.`,
  ],
  options: {
    companies: { value: 'N', description: `partitions for companies (${defaultSizes.companies})` },
    whole: { description: 'store the tables in one piece again' },
    'detach-audit': { value: 'DATE', description: 'take old entries out of the audit log (YYYY-MM-DD)' },
  },
  run: async (given) => {
    const day = given.values.get('detach-audit');
    const chosen = [given.values.has('companies'), given.flags.has('whole'), day !== undefined].filter(Boolean);
    if (chosen.length > 1) throw new UsageError('Give one of --companies, --whole and --detach-audit.');
    const url = directDatabaseUrl();
    const roles = { ownerUrl: takeOwnerUrl(), serviceUrl: databaseUrl() };
    if (day !== undefined) return detach(url, asDay(day), roles);
    const companies = asCount(given);
    printProgress('Copying. Nobody can use the tables meanwhile.');
    const copied = given.flags.has('whole')
      ? await joinPartitions(url, roles)
      : await partitionTables(url, roles, { ...defaultSizes, companies });
    const text = copied.length > 0 ? `Copied: ${copied.join(', ')}.` : 'There was nothing to copy.';
    return { text: `${text}\n`, data: { copied } };
  },
};

function asCount({ values }: Given): number {
  const count = Number(values.get('companies') ?? defaultSizes.companies);
  if (!Number.isInteger(count) || count < 2 || count > maxPartitions)
    throw new UsageError(`--companies must be a whole number from 2 to ${maxPartitions}.`);
  return count;
}

function asDay(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime()))
    throw new UsageError('--detach-audit must be a day, such as 2026-01-31.');
  return day;
}

async function detach(url: string, before: Date, roles: Parameters<typeof detachAudit>[2]): Promise<Outcome> {
  const detached = await detachAudit(url, before, roles);
  const lines = detached.map(
    ({ table, entries, until }) => `Detached: ${table}, ${entries} entries until ${until.toISOString()}.\n`,
  );
  const text = lines.join('') || 'No whole partition is old enough, or stored notifications still need it.\n';
  return { text, data: { detached } };
}
