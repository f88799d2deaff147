import { disconnect } from '#db/client.ts';
import { addressesIn, databaseUrls, directDatabaseUrls, takeOwnerUrl } from '#platform/config/database.ts';
import { silenceLog } from '#platform/config/operations.ts';
import { adopt, env, findWrongSettings } from '#platform/config/settings.ts';
import { type Command, exitCodes } from '#server/command/command.ts';
import { type Check, type Finding, failing, type Surroundings } from '#server/command/doctor/check.ts';
import { databaseCheck } from '#server/command/doctor/database.ts';
import { serviceCheck, settingsCheck, versionsCheck } from '#server/command/doctor/installation.ts';
import { diskCheck, filesCheck } from '#server/command/doctor/machine.ts';
import { proxyCheck } from '#server/command/doctor/proxy.ts';
import { findDatabase } from '#server/command/open-database.ts';

// In the order in which they are made and printed.
const checks: Check[] = [settingsCheck, versionsCheck, databaseCheck, diskCheck, filesCheck, serviceCheck, proxyCheck];

const marks = { ok: 'ok     ', warning: 'WARNING', error: 'ERROR  ', skipped: 'skipped' };

/** `notif doctor`: looks at everything that the service needs, and says what to do. */
export const command: Command = {
  words: [],
  about: 'Look at all that the service needs, and say what to do about what is wrong.',
  details: [
    'It changes nothing and may run beside the service, as the same user and with the same settings. Exit code 1\nmeans that a check found an error; warnings alone give 0.',
    'It also asks the service at APP_URL: whether the proxy passes on the addresses of clients, and streams at once, and\nwhether all machines behind it have the same build.',
  ],
  run: async () => {
    silenceLog();
    try {
      const surroundings = await lookAround();
      const findings = (await runChecks(checks, surroundings)).flat();
      const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length;
      const [errors, warnings] = [count('error'), count('warning')];
      const text = `${findings.map(describe).join('\n')}\n\n${summarize(errors, warnings)}\n`;
      return {
        exitCode: errors > 0 ? exitCodes.failed : exitCodes.done,
        text,
        data: { errors, warnings, checks: findings },
      };
    } finally {
      await disconnect(1);
    }
  },
};

async function lookAround(): Promise<Surroundings> {
  if (findWrongSettings().length > 0) return { settings: null, databases: [] };
  const settings = env();
  const found = await findDatabase(settings);
  if (!found) return { settings, databases: [] };
  if (!settings.trial) {
    const [directUrls, ownerUrl] = [directDatabaseUrls(), takeOwnerUrl()];
    const owners = addressesIn(ownerUrl);
    const asDatabase = (url: string, at: number) => ({ url, directUrl: directUrls[at] ?? url, ownerUrl: owners[at] });
    return { settings, databases: databaseUrls().map(asDatabase) };
  }
  adopt({ ...found, authSecret: '' });
  return { settings, databases: [{ url: found.databaseUrl, directUrl: found.databaseUrl, ownerUrl: undefined }] };
}

// One after another, so that the findings have an order and the machine no load.
async function runChecks(all: Check[], surroundings: Surroundings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, run } of all) {
    const found = await run(surroundings).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : error;
      return [failing(`The check failed: ${reason}.`, 'Report this line; it is a defect.')];
    });
    findings.push(...found.map((finding) => ({ ...finding, name: finding.name ?? name })));
  }
  return findings;
}

const describe = ({ state, sentence, cure }: Finding) =>
  `${marks[state]}  ${sentence}${cure ? `\n         → ${cure}` : ''}`;

function summarize(errors: number, warnings: number): string {
  if (errors + warnings === 0) return 'All is well.';
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}
