import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testClient } from '#e2e/clients/scenario.ts';
import { generate, programs, run } from '#e2e/clients/tools.ts';

testClient('openapi-generator php', {
  needs: ['java 17', 'python3 venv', 'php', 'guzzle'],
  build: async (folder) => {
    await generate(folder, 'openapi-generator-cli generate -g php');
    await copyFile(join(programs, 'client.php'), join(folder, 'client.php'));
    return (variables) => run('php', ['-d', 'zend.assertions=1', 'client.php'], folder, variables);
  },
});
