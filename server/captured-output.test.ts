import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childEnv } from '#server/env.ts';

const module = join(import.meta.dirname, 'captured-output.ts');
const script = `
  const { captureOutput } = await import(${JSON.stringify(module)});
  captureOutput();
  const forged = '\\n{"level":60}\\r\\n{"level":60}\\u2028{"level":60}\\n';
  console.error(new SyntaxError('Cannot convert ' + forged + ' to a BigInt'));
  console.error('%s', forged, { level: 60 });
  console.log(forged + 1);
  console.warn(forged + 2, 'jss_' + 'a'.repeat(64));
  console.table([{ level: forged }]);
  console.dir({ level: 60 });
  process.stdout.write(forged + 3);
  process.stderr.write(Buffer.from(forged + 4), () => process.stdout.write(forged + 'x'.repeat(100000)));
  process.emitWarning(forged + 5);
  console.log('');
  process.on('uncaughtException', (error) => console.error(error));
  setTimeout(() => { throw new Error(forged + 6); });
`;

test('everything that is printed becomes one line of JSON, cut and without keys', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: childEnv({ AUTH_SECRET: 'x'.repeat(40), LOG_LEVEL: 'info' }),
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part));
  await new Promise((resolve) => child.once('close', resolve));
  expect(errors).toBe('');
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ level }) => level)).toEqual([50, 50, 30, 40, 30, 30, 30, 50, 30, 40, 50]);
  for (const line of lines) {
    expect(Object.keys(line)).toEqual(['level', 'time', 'text', 'msg']);
    expect(line.msg).toBe('a library printed a message');
    expect(String(line.text).length).toBeLessThanOrEqual(2000);
  }
  expect(output).not.toContain('jss_aa');
});
