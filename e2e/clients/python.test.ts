import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testClient } from '#e2e/clients/scenario.ts';
import { generate, programs, python, requirements, run } from '#e2e/clients/tools.ts';
import { printed } from '#e2e/support/http/printed.ts';

const runFrom = async (folder: string, file: string) => {
  await copyFile(join(programs, file), join(folder, file));
  return (variables: Record<string, string>) => run(python, [file], folder, variables);
};

testClient('openapi-generator python', {
  needs: ['java 17', 'python3 venv'],
  build: async (folder) => {
    await generate(folder, 'openapi-generator-cli generate -g python');
    return runFrom(folder, 'openapi_generator_client.py');
  },
});

testClient('openapi-python-client', {
  needs: ['python3 venv'],
  build: async (folder) => {
    await generate(folder, 'openapi-python-client generate');
    return runFrom(folder, 'openapi_python_client.py');
  },
});

test('the documentation installs the tested versions of the generators', async () => {
  const installed = (await readFile(requirements, 'utf8')).split('\n');
  const commands = (await printed('clients', 'en')).map(({ text }) => text);
  const wanted = commands.flatMap((text) => /^pip install (.+)$/.exec(text)?.[1] ?? []);
  expect(wanted).toHaveLength(2);
  expect(wanted.filter((name) => !installed.includes(name))).toEqual([]);
});
