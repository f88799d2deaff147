import { readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { testClient } from '#e2e/clients/scenario.ts';
import { generate, maven, programs, run } from '#e2e/clients/tools.ts';

// Maven fetches libraries only: a build with Maven or Gradle would need many more plugins.
const copyLibraries = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** Writes the libraries that a pom names, and what they need, to `libraries/`. */
const fetchLibraries = (folder: string, pom: string, scope: 'compile' | 'runtime') =>
  maven(['-f', pom, copyLibraries, `-DincludeScope=${scope}`, `-DoutputDirectory=${folder}/libraries`], folder);

const listFiles = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
};

const path = ['libraries/*', 'compiled'].join(delimiter);

testClient('openapi-generator java', {
  needs: ['java 17', 'maven', 'python3 venv'],
  build: async (folder) => {
    await generate(folder, 'openapi-generator-cli generate -g java');
    await fetchLibraries(folder, 'client/pom.xml', 'compile');
    const sources = await listFiles(join(folder, 'client', 'src', 'main', 'java'));
    await run(
      'javac',
      ['-proc:none', '-d', 'compiled', '-cp', path, ...sources, join(programs, 'Program.java')],
      folder,
    );
    return (variables) => run('java', ['-cp', path, 'Program'], folder, variables);
  },
});

const asDependency = (name: string) => {
  const [groupId, artifactId, version] = name.split(':');
  return `<dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency>`;
};

const asPom = (libraries: string[]) =>
  `<project><modelVersion>4.0.0</modelVersion>
  <groupId>notif</groupId><artifactId>libraries</artifactId><version>1</version>
  <dependencies>${libraries.map(asDependency).join('')}</dependencies></project>`;

// The libraries of the generated build.gradle, and the compiler.
const kotlinLibraries = [
  'org.jetbrains.kotlin:kotlin-compiler-embeddable:2.4.0',
  'org.jetbrains.kotlin:kotlin-reflect:2.4.0',
  'com.squareup.moshi:moshi-kotlin:1.15.2',
  'com.squareup.moshi:moshi-adapters:1.15.2',
  'com.squareup.okhttp3:okhttp-jvm:5.4.0',
];

testClient('openapi-generator kotlin', {
  needs: ['java 17', 'maven', 'python3 venv'],
  build: async (folder) => {
    await generate(folder, 'openapi-generator-cli generate -g kotlin');
    await writeFile(join(folder, 'pom.xml'), asPom(kotlinLibraries));
    await fetchLibraries(folder, 'pom.xml', 'runtime');
    const libraries = await listFiles(join(folder, 'libraries'));
    const sources = ['client/src/main/kotlin', join(programs, 'Program.kt')];
    const options = ['-no-stdlib', '-no-reflect', '-nowarn', '-cp', libraries.join(delimiter), '-d', 'compiled'];
    await run(
      'java',
      ['-cp', 'libraries/*', 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler', ...options, ...sources],
      folder,
    );
    return (variables) => run('java', ['-cp', path, 'ProgramKt'], folder, variables);
  },
});
