import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import * as oidc from 'openid-client';
import { disconnect } from '#db/client.ts';
import { databaseUrl, directDatabaseUrl, takeOwnerUrl } from '#platform/config/database.ts';
import type { OidcProvider } from '#platform/config/identity.ts';
import { silenceLog } from '#platform/config/processes.ts';
import { applyStartSettings, env, findOpenSettingsFile, findWrongSettings } from '#platform/config/settings.ts';
import { findNewerVersion, serviceVersion } from '#platform/config/version.ts';
import { listMissingIssuers } from '#server/accounts/sign-in/only-provider.ts';
import {
  clockToleranceSeconds,
  discover,
  explainFailure,
  fetchFor,
  logoutAddressOf,
  redirectAddressOf,
} from '#server/accounts/sign-in/provider.ts';
import { findLastLogout } from '#server/accounts/sign-in/provider-sessions.ts';
import { type Command, exitCodes } from '#server/command/command.ts';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { databaseCheck } from '#server/command/doctor/database-check.ts';
import { proxyCheck } from '#server/command/doctor/proxy-check.ts';
import { findDatabase } from '#server/command/open-database.ts';
import { readyPath } from '#server/front/health.ts';

// The host of an e-mail address that is an IP address or a name of one network.
const privateHost = /@(?:[^.]*|[\d.]+|.*\.(?:local|internal|lan|test))$/;

// Whether all settings can be read, and nobody else reads them. Names each wrong one.
const settingsCheck: Check = {
  name: 'settings',
  run: async ({ settings }) => {
    const wrong = findWrongSettings();
    const openFile = findOpenSettingsFile();
    const findings = wrong.map(({ name, problem }) =>
      failing(`${name} ${problem}.`, 'Correct it, then restart the service. docs/configuration.md has all settings.'),
    );
    const warn = (isWrong: boolean, ...about: Parameters<typeof warning>) =>
      isWrong && findings.push(warning(...about));
    warn(
      openFile !== undefined,
      `Everyone on this machine can read ${openFile}, which holds secrets.`,
      `chmod 600 ${openFile}. Change its secrets if others use this machine.`,
      'settings-file',
    );
    if (!settings) return findings;
    const { APP_URL, PUSH_CONTACT, trial } = settings;
    warn(
      !trial && !APP_URL.startsWith('https:'),
      `APP_URL is ${APP_URL}: links and invitations lead there, and cookies are not limited to https.`,
      'Set APP_URL to the https address that people open, then restart the service.',
      'app-url',
    );
    warn(
      !trial && privateHost.test(PUSH_CONTACT),
      `Apple refuses ${PUSH_CONTACT} as the contact of pushes, so iPhones and Safari get none.`,
      'Set PUSH_CONTACT to an e-mail address of yours.',
      'push-contact',
    );
    const sentence = trial ? 'All settings are right; this is a trial.' : 'All settings are right.';
    return [ok(sentence), ...findings];
  },
};

const versionsCheck: Check = {
  name: 'versions',
  run: async ({ settings }) => {
    const newer =
      settings &&
      (await findNewerVersion().then(
        (version) => version && warning(`Version ${version} is out.`, 'Read its docs/upgrading.md.', 'newer-version'),
        ({ code }) =>
          warning(`newest-version in DATA_DIR cannot be read (${code}).`, 'Let this user read it.', 'newer-version'),
      ));
    return [
      ok(`Staff Notification API ${serviceVersion()}.`, 'service-version'),
      ...(newer ? [newer] : []),
      ok(`Node ${process.versions.node}.`, 'node-version'),
    ];
  },
};

// Where PostgreSQL keeps its data on Debian and on Red Hat, if it runs on this machine.
const databaseFolders = ['/var/lib/postgresql', '/var/lib/pgsql'];

/** Whether the disks that the service and its database write to have free space. */
const diskCheck: Check = {
  name: 'disk',
  run: async ({ settings }) => {
    const folders = [settings?.trial ? resolve(settings.DATA_DIR) : '', ...databaseFolders, '/var/log', tmpdir()];
    return Promise.all(folders.filter((folder) => existsSync(folder)).map(checkDisk));
  },
};

async function checkDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const sentence = `${(free / 1e9).toFixed(1)} GB are free in ${folder}.`;
  const cure = 'Free some space. Old backups and logs are the usual reason.';
  if (free < 1024 ** 3 / 2) return failing(sentence, cure);
  return free < 2 * 1024 ** 3 ? warning(sentence, cure) : ok(sentence);
}

// Whether the service runs and is ready. Of several processes, one answers.
const serviceCheck: Check = {
  name: 'service',
  run: async ({ settings }) => {
    if (!settings) return [skipped('The settings are wrong, so the address of the service is unknown.')];
    const address = settings.APP_URL;
    type Answer = { ready?: boolean; missing?: string[]; reason?: string };
    const answer = await fetch(address + readyPath, { signal: AbortSignal.timeout(2500) })
      .then((response) => response.json() as Promise<Answer | null>)
      .catch((error): Answer => ({ reason: error.cause?.code }));
    // For example a wrong certificate: the check of the proxy says what to do.
    if (answer?.reason && answer.reason !== 'ECONNREFUSED')
      return [skipped(`Whether the service is ready is unknown: ${address} is out of reach (${answer.reason}).`)];
    if (typeof answer?.ready !== 'boolean')
      return [warning(`No service answers at ${address}.`, 'Start it: systemctl start staff-notification.target.')];
    if (answer.ready) return [ok(`The service at ${address} is ready.`)];
    const cure = 'See the findings about the database, and the log of the service.';
    return [warning(`The service at ${address} is not ready: ${answer.missing?.join(', ')}.`, cure)];
  },
};

const accepted = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

// Asks each provider for its metadata, algorithms, keys and clock, and whether it knows this client.
const providersCheck: Check = {
  name: 'provider',
  run: async ({ settings, database }) => {
    if (!settings) return [skipped('The settings are wrong, so no provider was asked.')];
    const missing = database ? await listMissingIssuers().catch(() => []) : [];
    const answers = await Promise.all(
      settings.OIDC_PROVIDERS.map((provider) => checkProvider(provider, database !== null)),
    );
    return [...missing.map(describeMissing), ...answers.flat()];
  },
};

const describeMissing = ({ issuer, companies }: { issuer: string; companies: number }) =>
  failing(
    `OIDC_PROVIDERS does not have ${issuer}, with which alone people of ${companies} companies sign in.`,
    'Add it, or let their owners choose another way. After a change of its issuer: notif provider move.',
    'provider-required',
  );

// A provider looks at the client before the code.
async function tryClient(configuration: oidc.Configuration, redirect: string): Promise<unknown> {
  const code = { code: 'notif-doctor', code_verifier: oidc.randomPKCECodeVerifier(), redirect_uri: redirect };
  const failure = await oidc.genericGrantRequest(configuration, 'authorization_code', code).catch((error) => error);
  const isAboutCode = failure instanceof oidc.ResponseBodyError && !/_client$/.test(failure.error);
  return isAboutCode ? null : failure;
}

async function sayLastLogout(issuer: string): Promise<string> {
  const last = await findLastLogout(issuer);
  return last
    ? `the last message came ${Math.round((Date.now() - last.getTime()) / 60_000)} minutes ago`
    : 'none came yet';
}

async function checkProvider(provider: OidcProvider, hasDatabase: boolean): Promise<Finding[]> {
  const { issuer } = provider;
  try {
    const configuration = await discover(provider);
    const facts = configuration.serverMetadata();
    const signal = AbortSignal.timeout(3500);
    const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const;
    const response = await fetchFor(provider)(String(facts.jwks_uri), options);
    const { keys = [] } = (await response.json()) as { keys?: unknown[] };
    const secondsOff = Math.round((Date.parse(response.headers.get('date') ?? '') - Date.now()) / 1000);
    const algorithms = facts.id_token_signing_alg_values_supported ?? ['RS256'];
    const redirect = redirectAddressOf(provider);
    const signOut = facts.end_session_endpoint
      ? `${new URL('/login', redirect)} for the way back from a sign-out`
      : 'no address for a sign-out, which it does not offer (end_session_endpoint)';
    const said = hasDatabase ? ` (${await sayLastLogout(issuer).catch(() => 'the database does not answer')})` : '';
    const logout = `${logoutAddressOf(provider)} for its logout messages, if it sends them${said}`;
    const problem = (sentence: string, cure: string, name: string) => failing(`${issuer} ${sentence}.`, cure, name);
    const findings = [
      ok(`${issuer} answers. Register there ${redirect} as the redirect address, ${signOut}, and ${logout}.`),
    ];
    const failure = await tryClient(configuration, redirect);
    if (failure) findings.push(describeFailure(failure, issuer));
    if (!algorithms.some((algorithm) => accepted.test(algorithm)))
      findings.push(problem(`signs with ${algorithms} only`, 'Choose RS256 or ES256 there.', 'provider-algorithm'));
    if (keys.length === 0) findings.push(problem('has no keys', 'Create a signing key there.', 'provider-keys'));
    if (Math.abs(secondsOff) > clockToleranceSeconds)
      findings.push(problem(`differs by ${secondsOff} s from this clock`, 'Correct the clocks.', 'provider-time'));
    return findings;
  } catch (error) {
    return [describeFailure(error, issuer)];
  }
}

function describeFailure(thrown: unknown, issuer: string): Finding {
  const { cause, meaning, error } = explainFailure(thrown, issuer);
  const sentence = `${issuer} cannot be used: ${meaning} (${error}).`;
  return failing(sentence, 'Correct OIDC_PROVIDERS, or the provider: docs/configuration.md.', `provider-${cause}`);
}

// In the order in which they are made and printed.
const checks = [settingsCheck, versionsCheck, databaseCheck, diskCheck, serviceCheck, proxyCheck, providersCheck];

const marks = { ok: 'ok     ', warning: 'WARNING', error: 'ERROR  ', skipped: 'skipped' };

export const command: Command = {
  words: [],
  about: 'Check the installation, and say how to correct what is wrong.',
  details: [
    'It changes nothing and may run beside the service, as a user who can read its settings.\nExit code 1 means that a check found an error; warnings alone give 0.',
    'It also asks the service at APP_URL: whether the proxy passes on the addresses of clients, and\nstreams at once, and whether all processes behind it have the same build; and each\nprovider of OIDC_PROVIDERS.',
  ],
  run: async () => {
    silenceLog();
    try {
      const findings = await runChecks();
      const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
      const [errors, warnings] = [count('error'), count('warning')];
      const text = `${findings.map(describe).join('\n')}\n\n${summarize(errors, warnings)}\n`;
      const exitCode = errors > 0 ? exitCodes.failed : exitCodes.done;
      return { exitCode, text, data: { errors, warnings, checks: findings } };
    } finally {
      await disconnect(1);
    }
  },
};

async function lookAround() {
  if (findWrongSettings().length > 0) return { settings: null, database: null };
  const settings = env();
  const address = await findDatabase(settings);
  if (!address) return { settings, database: null };
  if (settings.trial) applyStartSettings({ ...address, authSecret: '' });
  return { settings, database: { url: databaseUrl(), directUrl: directDatabaseUrl(), ownerUrl: takeOwnerUrl() } };
}

// One after another, so that the findings have an order and the machine no load.
async function runChecks(): Promise<Finding[]> {
  const surroundings = await lookAround();
  const findings: Finding[] = [];
  for (const { name, run } of checks) {
    const results = await run(surroundings).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : error;
      return [failing(`The check failed: ${reason}.`, 'Report this line; it is a defect.')];
    });
    findings.push(...results.map((finding) => ({ ...finding, name: finding.name ?? name })));
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
