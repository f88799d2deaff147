import { resolve } from 'node:path';
import { EmbeddedError } from '#db/embedded/embedded.ts';
import { EnvError } from '#platform/config/checks.ts';
import { env } from '#platform/config/settings.ts';
import { BuildError } from '#server/runtime/build-pages.ts';

/** The start failed. The message is one sentence for the operator, printed as it is. */
export class StartError extends Error {}

/** What to print when a start fails: a sentence for a known reason, otherwise the stack. */
export function explainStart(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ([StartError, EnvError, EmbeddedError, BuildError].some((kind) => error instanceof kind)) return error.message;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC') return `The disk is full: ${error.message}. Free some space, then start again.`;
  if (code === 'EACCES')
    return `${error.message}. If another user, such as root, started a trial here, stop it and run \`sudo chown -R ${process.getuid?.()} ${resolve(env().DATA_DIR)}\`; or set DATA_DIR to another folder.`;
  return error.stack ?? error.message;
}
