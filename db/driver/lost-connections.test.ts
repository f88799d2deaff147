import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childEnv } from '#server/env.ts';

const root = join(import.meta.dirname, '..', '..');

/** The exit code of a process in which a promise that nobody waits for fails with an error of this code; 7 when it lives on. */
function exitAfter(code: string): number | null {
  const program = `import { surviveLostConnections } from '#db/driver/lost-connections.ts';
    surviveLostConnections();
    void Promise.reject(Object.assign(new Error('x'), { code: '${code}' }));
    setTimeout(() => process.exit(7), 20);`;
  const options = { cwd: root, env: childEnv() };
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], options).status;
}

test('a connection that is lost as it begins ends no process; any other error that nobody saw does', () => {
  expect([exitAfter('CONNECTION_CLOSED'), exitAfter('X')]).toEqual([7, 1]);
});
