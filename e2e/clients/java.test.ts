import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { testClient } from '#e2e/clients/scenario.ts';
import { generate, maven, programs, run } from '#e2e/clients/tools.ts';

// Maven fetches the libraries that the generated project names. Its own build would need ten
// plugins more.
testClient('openapi-generator java', {
  needs: ['java 17', 'maven', 'python3 venv'],
  build: async (folder) => {
    await generate(folder, 'java');
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
    await maven(
      ['-f', 'client/pom.xml', copy, '-DincludeScope=compile', `-DoutputDirectory=${folder}/libraries`],
      folder,
    );
    const sources = join(folder, 'client', 'src', 'main', 'java');
    const files = await readdir(sources, { recursive: true, withFileTypes: true });
    const found = files
      .filter(({ name }) => name.endsWith('.java'))
      .map(({ parentPath, name }) => join(parentPath, name));
    const path = ['libraries/*', 'compiled'].join(delimiter);
    await run('javac', ['-proc:none', '-d', 'compiled', '-cp', path, ...found, join(programs, 'Program.java')], folder);
    return (variables) => run('java', ['-cp', path, 'Program'], folder, variables);
  },
});
