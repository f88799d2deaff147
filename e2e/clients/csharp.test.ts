import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { testClient } from '#e2e/clients/scenario.ts';
import { fetchJsonNet, generate, programs, run } from '#e2e/clients/tools.ts';

const assemblies = [
  'System.Net.Http',
  'System.ComponentModel.DataAnnotations',
  'System.Web',
  'System.Runtime.Serialization',
];
const facades = ['/usr/lib/mono/4.5/Facades/netstandard.dll', '/usr/lib/mono/4.5/Facades/System.Runtime.dll'];

// On Mono, because .NET itself is in no package of Debian. The printed command selects a library
// that Mono can run, without Polly.
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
