import type { ParseArgsOptionDescriptor } from 'node:util';

/** The exit codes of all commands; programs rely on them. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, unreachable: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An option of a command, for `parseArgs`. The help has `value` as a placeholder, and `description`. */
export type Option = ParseArgsOptionDescriptor & { value?: string; description: string };

/** What the command line has: the words after the command, and the options by name. */
export type Input = { words: string[]; options: Record<string, string | true | undefined> };

/** What a command hands back: `text` for people, `data` for programs (`--json`). The exit code is 0 if unset. */
export type Outcome = { exitCode?: ExitCode; text: string; data: Record<string, unknown> };

/** A command. `words`: its arguments, `[NAME]` optional. `details`: paragraphs. `run`: null when it goes on. */
export type Command = {
  words: string[];
  about: string;
  details?: string[];
  options?: Record<string, Option>;
  run: (input: Input) => Promise<Outcome | null>;
};

/** The command cannot do what was asked. `message`: sentences with the cure. `reason`: a fixed word for programs. */
export class CommandError extends Error {
  readonly reason: string;
  readonly exitCode: ExitCode;
  constructor(reason: string, message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.reason = reason;
    this.exitCode = exitCode;
  }
}

/** The database at `hosts` does not answer, for `error`. */
export function unreachable(hosts: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  const message = `The database${hosts && ` at ${hosts}`} is out of reach${code}. Nothing was changed.`;
  return new CommandError('database-unreachable', message, exitCodes.unreachable);
}

/** The command line was not understood. The message is one sentence. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super('wrong-usage', message, exitCodes.wrongUsage);
  }
}

/** A time as `2026-11-23 07:15 UTC`; `never` for null. */
export const asMinute = (timestamp: Date | null): string =>
  timestamp === null ? 'never' : `${timestamp.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
