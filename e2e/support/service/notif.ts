import { execFile } from 'node:child_process';
import { noteSecret, noteSeen } from '#e2e/support/service/secrets.ts';
import { root } from '#e2e/support/service/service.ts';

/** How a run of `notif` ended. `link` is the one-time link in its output; empty when it has none. */
export type Outcome = { code: number; output: string; problems: string; link: string };

/** Runs `notif` from source, with these settings beside those of the test run. */
export function runNotif(args: string[], settings: Record<string, string | undefined> = {}): Promise<Outcome> {
  const env = { ...process.env, ...settings } as NodeJS.ProcessEnv;
  delete env.npm_lifecycle_event;
  for (const [name, value] of Object.entries(env)) if (value === undefined) delete env[name];
  return new Promise((resolve) => {
    const limits = { cwd: root, env, maxBuffer: 16 * 1024 * 1024 };
    execFile(process.execPath, ['server/command/main.ts', ...args], limits, (error, output, problems) => {
      const link = /http[^\s"]+\/invite\/[^\s"]+/.exec(output)?.[0] ?? '';
      if (link) noteSecret(link.split('/').at(-1) ?? '');
      // The link itself is printed on purpose.
      noteSeen('notif', (link ? output.replace(link, '') : output) + problems);
      resolve({ code: Number(error?.code ?? 0), output, problems, link });
    });
  });
}
