import { parseArgs } from 'node:util';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { EnvError } from '#platform/config/checks.ts';
import { hostsOfSettings } from '#platform/config/database.ts';
import { programName } from '#platform/config/processes.ts';
import { loadSettings, readSettingsFile } from '#platform/config/settings.ts';
import {
  type Command,
  CommandError,
  type ExitCode,
  exitCodes,
  type Input,
  type Option,
  UsageError,
  unreachable,
} from '#server/command/command.ts';
import { explainStart } from '#server/runtime/start-error.ts';

/**
 * Runs a command and prints its result; errors go to standard error, with `--json` to standard output. Returns the exit
 * code, or null when the command goes on.
 */
export async function runCommandLine(args: string[]): Promise<ExitCode | null> {
  const isJson = args.includes('--json');
  try {
    const name = findName(args);
    if (name === null) return await printHelp(args);
    const command = await loadCommand(name);
    if (args.includes('--help') || args.includes('-h')) return print(describeCommand(programName(), name, command));
    const { input, files } = readArguments(args, name, command);
    for (const file of files) readSettingsFile(file);
    loadSettings();
    const outcome = await command.run(input);
    if (outcome === null) return null;
    const { exitCode = exitCodes.done, text, data } = outcome;
    print(isJson ? `${JSON.stringify({ ok: exitCode === exitCodes.done, ...data })}\n` : text);
    return exitCode;
  } catch (error) {
    const { reason, message, exitCode } = describeFailure(error);
    if (isJson) process.stdout.write(`${JSON.stringify({ ok: false, error: reason, message })}\n`);
    else process.stderr.write(`${message}\n`);
    return exitCode;
  }
}

function print(text: string): ExitCode {
  process.stdout.write(text);
  return exitCodes.done;
}

// The name is the longest one that the first words form. Options before it are the common ones.
function findName(args: string[]): string | null {
  const { positionals } = parseArgs({ args, options: commonOptions, strict: false, allowPositionals: true });
  const [first = '', second = ''] = positionals;
  return [`${first} ${second}`, first].find((name) => commands[name]) ?? null;
}

async function printHelp(args: string[]): Promise<ExitCode> {
  const [first = 'help', ...words] = args.filter((arg) => !arg.startsWith('-'));
  const name = words.join(' ');
  if (first !== 'help') throw unknownCommand([first, ...words].join(' '));
  if (name === '') return print(await describeCommands(programName()));
  return print(describeCommand(programName(), name, await loadCommand(name)));
}

const unknownCommand = (name: string) =>
  new UsageError(`There is no command “${name}”. \`${programName()} help\` lists all commands.`);

async function loadCommand(name: string): Promise<Command> {
  const load = commands[name];
  if (!load) throw unknownCommand(name);
  return (await load()).command;
}

function readArguments(args: string[], name: string, command: Command): { input: Input; files: string[] } {
  const options = { ...command.options, ...commonOptions };
  const advice = `\`${programName()} help ${name}\` says how to use it.`;
  const result = (() => {
    try {
      return parseArgs({ args, options, allowPositionals: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message.split(/[.\n]/, 1)[0] : String(error);
      throw new UsageError(`${reason}. ${advice}`);
    }
  })();
  const words = result.positionals.slice(name.split(' ').length);
  const needed = command.words.filter((word) => !word.startsWith('['));
  if (words.length < needed.length) throw new UsageError(`${needed[words.length]} is missing. ${advice}`);
  if (words.length > command.words.length)
    throw new UsageError(`“${words[command.words.length]}” is one word too many. ${advice}`);
  const { settings = [], ...entered } = result.values;
  return { input: { words, options: entered as Input['options'] }, files: settings as string[] };
}

function describeFailure(error: unknown): { reason: string; message: string; exitCode: ExitCode } {
  if (error instanceof CommandError) return error;
  if (error instanceof EnvError) return { reason: 'settings', message: error.message, exitCode: exitCodes.failed };
  if (isDatabaseUnavailable(error)) return unreachable(hostsOfSettings(), error);
  return { reason: 'failed', message: explainStart(error), exitCode: exitCodes.failed };
}

export const commonOptions: Record<string, Option> = {
  json: { type: 'boolean', description: 'print one JSON object for programs instead of text' },
  settings: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    description: 'read settings from this file, not from .env; may be given twice',
  },
  help: { type: 'boolean', short: 'h', description: 'print how to use the command' },
};

const width = 22;

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');

function describeOptions(options: Record<string, Option>): string {
  const lines = Object.entries(options).map(([name, { value, short, description }]) => {
    const left = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `${left.padEnd(width)} ${description}`;
  });
  return indent(lines.join('\n'));
}

/** The help of one command. `program` is how this person calls `notif`. */
export function describeCommand(program: string, name: string, command: Command): string {
  const { words, about, details = [], options = {} } = command;
  const usage = [program, name, ...words, ...(Object.keys(options).length > 0 ? ['[OPTIONS]'] : [])].join(' ');
  return [
    `Usage: ${usage}`,
    about,
    ...details,
    `Options:\n${describeOptions({ ...options, ...commonOptions })}`,
    '',
  ].join('\n\n');
}

export async function describeCommands(program: string): Promise<string> {
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => {
      const { words, about } = (await load()).command;
      return `${[name, ...words].join(' ').padEnd(width)} ${about}`;
    }),
  );
  return `Usage: ${program} COMMAND [OPTIONS]

Commands:
${indent(lines.join('\n'))}

Every command takes:
${describeOptions(commonOptions)}

\`${program} help COMMAND\` says more about one command. Exit codes: 0 done and all well, 1 the command
failed or the doctor found an error, 2 wrong usage, 3 the database or the service cannot be reached.
`;
}

const start: Command = {
  words: [],
  about: 'Start the service and serve until it is stopped.',
  details: [
    'It migrates the database and waits until it is reachable. Without DATABASE_URL it starts a trial.\nSIGTERM and Ctrl-C stop it. docs/operations.md says how several processes share the work.',
  ],
  run: async () => {
    process.argv.splice(2);
    await import('#server/runtime/start.ts');
    return null;
  },
};

const people = () => import('#server/command/people.ts');

/** All commands in the order of the help. Loaded on use: some load the whole service. */
export const commands: Record<string, () => Promise<{ command: Command }>> = {
  start: async () => ({ command: start }),
  migrate: () => import('#server/command/run-migrations.ts'),
  doctor: () => import('#server/command/doctor.ts'),
  'company list': async () => ({ command: (await people()).companyList }),
  'owner list': async () => ({ command: (await people()).ownerList }),
  'owner add': async () => ({ command: (await people()).ownerAdd }),
  'owner reset': async () => ({ command: (await people()).ownerReset }),
  'provider move': async () => ({ command: (await people()).providerMove }),
  'sessions end': async () => ({ command: (await people()).sessionsEnd }),
};
