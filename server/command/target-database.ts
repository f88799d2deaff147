import { CommandError } from '#server/command/command.ts';
import { programName, type Settings } from '#server/env.ts';

/** Throws `CommandError` when the settings name no database that could be filled. */
export function requireTarget({ trial }: Settings): void {
  if (trial)
    throw new CommandError(
      'no-database',
      `DATABASE_URL is missing: which database is to be filled? Create an empty one and set it, or read your settings with ${programName()} --settings FILE.`,
    );
}
