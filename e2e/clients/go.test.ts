import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testClient } from '#e2e/clients/scenario.ts';
import { generate, go, programs, run } from '#e2e/clients/tools.ts';

// The one module has the client as a package and the program beside it.
const module = (required: string[]) =>
  `module notif.test\n\ngo 1.24\n\nrequire (\n${required.map((one) => `\t${one}\n`).join('')})\n`;

async function compile(folder: string, file: string, required: string[]) {
  await copyFile(join(programs, file), join(folder, 'main.go'));
  await writeFile(join(folder, 'go.mod'), module(required));
  await go(['mod', 'tidy'], folder);
  await go(['vet', './...'], folder);
  await go(['build', '-o', 'program', '.'], folder);
  return (variables: Record<string, string>) => run(join(folder, 'program'), [], folder, variables);
}

testClient('openapi-generator go', {
  needs: ['java 17', 'python3 venv', 'go 1.24'],
  build: async (folder) => {
    await generate(folder, 'openapi-generator-cli generate -g go');
    // It names a repository that does not exist.
    await rm(join(folder, 'client', 'test'), { recursive: true });
    return compile(folder, 'openapi_generator.go', []);
  },
});

testClient('oapi-codegen', {
  needs: ['go 1.24'],
  build: async (folder) => {
    const client = join(folder, 'client');
    await mkdir(client);
    await generate(client, 'go run');
    return compile(folder, 'oapi_codegen.go', ['github.com/oapi-codegen/runtime v1.8.0']);
  },
});
