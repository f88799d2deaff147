import { type ParseArgsConfig, parseArgs } from 'node:util';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { EnvError } from '#platform/config/checks.ts';
import { hostsOfSettings } from '#platform/config/database.ts';
import { programName } from '#platform/config/operations.ts';
import { loadSettings, readSettingsFile } from '#platform/config/settings.ts';
import {
  type Command,
  CommandError,
  type ExitCode,
  exitCodes,
  type Input,
  UsageError,
  unreachable,
} from '#server/command/command.ts';
import { commands } from '#server/command/commands.ts';
import { commonOptions, describeCommand, describeCommands } from '#server/command/help.ts';
import { explainStart } from '#server/runtime/start-error.ts';

/**
 * Runs the command that these arguments name and prints its result: text, or JSON with `--json`.
 * Errors go to standard error; with `--json` to standard output. Returns the exit code, or null
 * when the command goes on by itself.
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
  const { positionals } = parseArgs({ args, options: asConfig(commonOptions), strict: false, allowPositionals: true });
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

type Options = Record<string, { value?: string; short?: string }>;

function asConfig(options: Options): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value, short }]) => [
      name,
      { type: value ? 'string' : 'boolean', ...(short ? { short } : {}) },
    ]),
  );
}

function readArguments(args: string[], name: string, command: Command): { input: Input; files: string[] } {
  const options: NonNullable<ParseArgsConfig['options']> = {
    ...asConfig({ ...command.options, ...commonOptions }),
    settings: { type: 'string', multiple: true },
  };
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
