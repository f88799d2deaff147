import { z } from 'zod';
import { EnvError, host, isOwnMachine, oneOf, webAddress, wholeNumber } from '#platform/config/checks.ts';
import { databaseSettings } from '#platform/config/database.ts';
import { identitySettings } from '#platform/config/identity.ts';
import { readProxies, trustOwnMachine } from '#platform/config/ip-address.ts';
import { keepNextFromReadingFiles } from '#platform/config/next-internals.ts';
import { readSettings, secretSettings } from '#platform/config/settings-file.ts';

const networkSettings = {
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: host.optional(),
  APP_URL: webAddress('http:', 'https:')
    .transform((value) => new URL(value).origin)
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((value, context) => {
      const proxies = readProxies(value);
      if (typeof proxies === 'function') return proxies;
      context.addIssue({ code: 'custom', message: proxies.wrong });
      return z.NEVER;
    })
    .default(() => trustOwnMachine),
};

const outboundSettings = {
  UPSTASH_REDIS_REST_URL: webAddress('http:', 'https:').optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  PUSH_SERVICES: z
    .string()
    .transform((value) => value.split(',').map((origin) => origin.trim()))
    .refine((origins) => origins.every((text) => URL.canParse(text) && new URL(text).origin === text), {
      error: 'must be origins such as https://push.example.com, separated by commas',
    })
    .default([]),
  PUSH_CONTACT: z.email('must be an e-mail address').optional(),
};

const fields = z.object({
  ...databaseSettings,
  ...networkSettings,
  ...identitySettings,
  ...outboundSettings,
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  METRICS_HOST: host.default('127.0.0.1'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').optional(),
});

const upstash = ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'] as const;

function checkTogether(
  settings: z.output<typeof fields>,
  refuse: (name: keyof typeof settings, message: string) => void,
) {
  if (settings.DATABASE_URL === undefined) checkTrial(settings, refuse);
  else if (settings.AUTH_SECRET === undefined)
    refuse('AUTH_SECRET', 'is missing; with DATABASE_URL it must be set (try: openssl rand -base64 33)');
  if (settings.METRICS_PORT === settings.PORT)
    refuse('METRICS_PORT', 'must differ from PORT: metrics are not for everybody');
  const missing = upstash.filter((name) => settings[name] === undefined);
  if (missing.length === 1) refuse(missing[0] ?? upstash[0], `is missing; ${upstash.join(' and ')} go together`);
}

const checkTrial: typeof checkTogether = (settings, refuse) => {
  if (settings.HOST !== undefined && !isOwnMachine(settings.HOST))
    refuse('HOST', 'a trial (no DATABASE_URL) listens on 127.0.0.1 only; set DATABASE_URL to serve other machines');
  if (settings.DATABASE_DIRECT_URL !== undefined)
    refuse('DATABASE_DIRECT_URL', 'bypasses the pooler of DATABASE_URL, which is missing');
  if (settings.DATABASE_OWNER_URL !== undefined)
    refuse('DATABASE_OWNER_URL', 'needs DATABASE_URL as well, the role that the service runs as');
  if (!isOwnMachine(settings.METRICS_HOST))
    refuse('METRICS_HOST', 'a trial (no DATABASE_URL) listens on 127.0.0.1 only');
  if (settings.DATABASE_DURABILITY === 'provider')
    refuse('DATABASE_DURABILITY', 'is about the database of DATABASE_URL, which is missing');
};

const shape = fields
  .superRefine((settings, context) =>
    checkTogether(settings, (name, message) => context.addIssue({ code: 'custom', path: [name], message })),
  )
  .transform((settings) => {
    const trial = settings.DATABASE_URL === undefined;
    const appHost = settings.HOST === 'localhost' || !trial ? 'localhost' : '127.0.0.1';
    const APP_URL = settings.APP_URL ?? `http://${appHost}:${settings.PORT}`;
    return {
      ...settings,
      trial,
      LOG_LEVEL: settings.LOG_LEVEL ?? (trial ? 'warn' : 'info'),
      HOST: settings.HOST ?? (trial ? '127.0.0.1' : '0.0.0.0'),
      APP_URL,
      PUSH_CONTACT: settings.PUSH_CONTACT ?? `notifications@${new URL(APP_URL).hostname}`,
    };
  });

export type Settings = z.output<typeof shape>;

/**
 * Reads the settings file and the secrets' files into the environment. Every program calls it first. `dropped`: variables
 * that a library set earlier; they are removed first. Child processes read nothing again, so what `takeOwnerUrl`
 * removed stays away. Throws `EnvError`.
 */
export function loadSettings(dropped: string[] = []): void {
  if (process.env.SERVICE_SETTINGS !== undefined) return;
  for (const name of dropped) delete process.env[name];
  const read = readSettings(process.env);
  for (const name of secretSettings) delete process.env[`${name}_FILE`];
  Object.assign(process.env, read.variables, { SERVICE_SETTINGS: read.openFile ?? '' });
  keepNextFromReadingFiles();
  parsed = undefined;
}

/** The settings file, when it holds secrets and everyone on this machine can read it. */
export const findOpenSettingsFile = (): string | undefined => process.env.SERVICE_SETTINGS || undefined;

// A cache. The functions that change the environment keep it up to date.
let parsed: Settings | undefined;

/** All settings, parsed once. Empty variables count as unset. Throws `EnvError`. */
export function env(): Settings {
  if (parsed) return parsed;
  const { data, error } = shape.safeParse(givenVariables());
  if (error) throw new EnvError(`${String(error.issues[0]?.path[0])}: ${error.issues[0]?.message}.`);
  parsed = data;
  return data;
}

const givenVariables = () => Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));

export function findWrongSettings(): { name: string; problem: string }[] {
  const result = parsed ? undefined : shape.safeParse(givenVariables());
  return (result?.error?.issues ?? []).map(({ path, message }) => ({ name: String(path[0]), problem: message }));
}

/** Reads this settings file instead of the usual one. A second file adds to the first. */
export function readSettingsFile(path: string): void {
  process.env.SETTINGS_FILE = path;
  delete process.env.SERVICE_SETTINGS;
  loadSettings();
}

/** What a start finds out: a trial's database and secret, the real address, the connections that are allowed. */
type StartSettings = { databaseUrl: string; authSecret: string; appUrl: string; connections?: number | undefined };

/** Passes on what the start has found, by `process.env`: to child processes, and to the copy of this in the bundle. */
export function applyStartSettings({ databaseUrl, authSecret, appUrl, connections }: StartSettings): void {
  Object.assign(process.env, { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, APP_URL: appUrl });
  if (connections !== undefined) process.env.DATABASE_CONNECTIONS = String(connections);
  if (!parsed) return;
  // DATABASE_URL is set now, so a later reader cannot see that this is a trial.
  if (parsed.trial) process.env.SERVICE_TRIAL = 'yes';
  Object.assign(process.env, { HOST: parsed.HOST, LOG_LEVEL: parsed.LOG_LEVEL });
  parsed = { ...parsed, APP_URL: appUrl, DATABASE_CONNECTIONS: connections ?? parsed.DATABASE_CONNECTIONS };
}

/** Whether this is a trial; also valid after `applyStartSettings`, and in the bundle of the pages. */
export const isTrial = (): boolean => env().trial || process.env.SERVICE_TRIAL === 'yes';
