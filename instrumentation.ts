import { isDevelopment } from '#server/env.ts';

/**
 * Next calls this once, before its server answers. What libraries print goes to the log, also under
 * `next start`; in development it stays on the terminal.
 */
export async function register(): Promise<void> {
  if (isDevelopment()) return;
  const { captureOutput } = await import('#server/captured-output.ts');
  captureOutput();
}
