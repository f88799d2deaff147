import { execa } from 'execa';
import { noteSecret, noteSeen } from '#e2e/support/service/secrets.ts';
import { root } from '#e2e/support/service/service.ts';

/** Runs `notif` from source, with these settings beside those of the test run. `link`: a one-time link in its output. */
export async function runNotif(args: string[], settings: Record<string, string | undefined> = {}) {
  const env = { npm_lifecycle_event: undefined, ...settings };
  const options = { cwd: root, env, reject: false, stripFinalNewline: false } as const;
  const { exitCode, stdout, stderr } = await execa(process.execPath, ['server/command/notif.ts', ...args], options);
  const link = /http[^\s"]+\/invite\/[^\s"]+/.exec(stdout)?.[0] ?? '';
  if (link) noteSecret(link.split('/').at(-1) ?? '');
  // The link itself is printed on purpose.
  noteSeen('notif', (link ? stdout.replace(link, '') : stdout) + stderr);
  return { code: exitCode ?? -1, output: stdout, problems: stderr, link };
}
