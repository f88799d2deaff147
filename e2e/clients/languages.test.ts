import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testClient } from '#e2e/clients/scenario.ts';
import { fetchJsonNet, generate, go, programs, python, requirements, run } from '#e2e/clients/tools.ts';
import { printed } from '#e2e/support/http/printed.ts';

const assemblies = [
  'System.Net.Http',
  'System.ComponentModel.DataAnnotations',
  'System.Web',
  'System.Runtime.Serialization',
];
const facades = ['/usr/lib/mono/4.5/Facades/netstandard.dll', '/usr/lib/mono/4.5/Facades/System.Runtime.dll'];

// On Mono: Debian has no .NET. The printed command selects a library that Mono can run.
testClient('openapi-generator csharp', {
  needs: ['java 17', 'mono', 'python3 venv'],
  build: async (folder) => {
    await generate(folder, 'openapi-generator-cli generate -g csharp');
    await copyFile(await fetchJsonNet(), join(folder, 'Newtonsoft.Json.dll'));
    const sources = join(folder, 'client', 'src', 'Org.OpenAPITools');
    const entries = await readdir(sources, { recursive: true });
    const files = entries.filter((name) => name.endsWith('.cs')).map((name) => join(sources, name));
    const references = ['Newtonsoft.Json.dll', ...assemblies, ...facades].map((name) => `-r:${name}`);
    const compiler = ['-langversion:latest', '-nowarn:0618,1701', '-out:program.exe', ...references];
    await run('mcs', [...compiler, ...files, join(programs, 'Program.cs')], folder);
    return (variables) => run('mono', ['program.exe'], folder, variables);
  },
});

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
    // The generated tests import a repository that does not exist.
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

testClient('openapi-generator php', {
  needs: ['java 17', 'python3 venv', 'php', 'guzzle'],
  build: async (folder) => {
    await generate(folder, 'openapi-generator-cli generate -g php');
    await copyFile(join(programs, 'client.php'), join(folder, 'client.php'));
    return (variables) => run('php', ['-d', 'zend.assertions=1', 'client.php'], folder, variables);
  },
});

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
