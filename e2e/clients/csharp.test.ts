import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { testClient } from '#e2e/clients/scenario.ts';
import { fetchJsonNet, generate, programs, run } from '#e2e/clients/tools.ts';

// Mono's compiler and Debian's packages lack what the default library `generichost` needs (.NET 8,
// Microsoft.Extensions) and Polly, which `supportsRetry` needs.
const options = ['library=httpclient', 'targetFramework=net48', 'nullableReferenceTypes=false', 'supportsRetry=false'];

const assemblies = [
  'System.Net.Http',
  'System.ComponentModel.DataAnnotations',
  'System.Web',
  'System.Runtime.Serialization',
];
const facades = ['/usr/lib/mono/4.5/Facades/netstandard.dll', '/usr/lib/mono/4.5/Facades/System.Runtime.dll'];

testClient('openapi-generator csharp', {
  needs: ['java 17', 'mono', 'python3 venv'],
  build: async (folder) => {
    await generate(folder, 'csharp', options);
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
