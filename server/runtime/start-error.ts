import { EmbeddedError } from '#db/embedded.ts';
import { EnvError } from '#server/env.ts';
import { BuildError } from '#server/runtime/build.ts';

/** A start that cannot go on; the message is one sentence fit to be printed as it is. */
export class StartError extends Error {}

/** What to print when a start ends: one sentence where the reason is known, else where it happened. */
export function explainStart(error: unknown): string {
  const known = [StartError, EnvError, EmbeddedError, BuildError].some((kind) => error instanceof kind);
  if (known && error instanceof Error) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return `The disk is full: ${error.message}.`;
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') return `DATA_DIR: ${error.message}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
