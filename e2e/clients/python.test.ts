import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testClient } from '#e2e/clients/scenario.ts';
import { generate, openapiPythonClient, programs, python, run } from '#e2e/clients/tools.ts';

const runFrom = async (folder: string, file: string) => {
  await copyFile(join(programs, file), join(folder, file));
  return (variables: Record<string, string>) => run(python, [file], folder, variables);
};

testClient('openapi-generator python', {
  needs: ['java 17', 'python3 venv'],
  build: async (folder) => {
    await generate(folder, 'python');
    return runFrom(folder, 'openapi_generator_client.py');
  },
});

testClient('openapi-python-client', {
  needs: ['python3 venv'],
  sendsForms: true,
  build: async (folder) => {
    const options = ['--meta', 'none', '--output-path', 'client'];
    await run(openapiPythonClient, ['generate', '--path', 'openapi.json', ...options], folder);
    return runFrom(folder, 'openapi_python_client.py');
  },
});
