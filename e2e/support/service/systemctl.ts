import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { programPath } from '#e2e/support/programs.ts';
import { listen } from '#e2e/support/running.ts';

/** Runs printed shell lines with a `systemctl` that calls `restart` with the port in the name of a unit. */
export async function runWithSystemctl(lines: string, restart: (port: number) => Promise<void>, cwd = tmpdir()) {
  const folder = await mkdtemp(join(tmpdir(), 'notif-systemctl-'));
  const control = await listen(
    createServer(async ({ url = '' }, response) => {
      const restarting = restart(Number(url.split('@')[1])).then(() => '');
      const failure = await restarting.catch((error: Error) => String(error.stack));
      response.writeHead(failure ? 500 : 200).end(failure);
    }),
  );
  try {
    const program = `#!/bin/sh\nexec curl -sS --fail-with-body "${control.url}/$2" >&2\n`;
    await writeFile(join(folder, 'systemctl'), program, { mode: 0o755 });
    await execa('sh', ['-ec', lines], { cwd, env: { PATH: `${folder}:${programPath}` }, timeout: 300_000 });
  } finally {
    await control.stop();
    await rm(folder, { recursive: true });
  }
}
