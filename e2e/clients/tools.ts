import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { printed } from '#e2e/support/http/printed.ts';
import { lacks, programPath } from '#e2e/support/programs.ts';
import { root } from '#e2e/support/service/service.ts';

/** Generators and their libraries, which no commit holds. A second run finds them here; `npm ci` removes them. */
export const toolsFolder = join(root, 'node_modules', '.cache', 'clients');

/** The packages of PyPI: generators, and what their clients need. */
export const requirements = join(root, 'e2e', 'clients', 'requirements.txt');

/** The Python that has the generators of PyPI and the libraries of their clients. */
export const python = join(toolsFolder, 'python', 'bin', 'python');

const mavenRepository = `-Dmaven.repo.local=${join(toolsFolder, 'maven')}`;

/** Runs a program and returns what it printed. Throws its output when it fails. Adds `variables`. */
export async function run(program: string, args: string[], cwd = root, variables: Record<string, string> = {}) {
  const { stdout } = await execa(program, args, { cwd, env: { PATH: programPath, ...variables } });
  return stdout;
}

/** The global setup: installs the packages of `requirements.txt`, unless they are there. */
export default async function installPythonTools(): Promise<void> {
  if (lacks('python3 venv')) return;
  const wanted = await readFile(requirements, 'utf8');
  const done = join(toolsFolder, 'python', 'installed.txt');
  if (existsSync(done) && (await readFile(done, 'utf8')) === wanted) return;
  await mkdir(toolsFolder, { recursive: true });
  await run('/usr/bin/python3', ['-m', 'venv', '--clear', join(toolsFolder, 'python')]);
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-deps'];
  await run(python, ['-m', 'pip', 'install', ...quietly, '-r', requirements]);
  await writeFile(done, wanted);
}

/** Runs Maven with a repository of its own. */
export const maven = (args: string[], cwd: string): Promise<string> =>
  run('mvn', ['--quiet', '--batch-mode', mavenRepository, ...args], cwd);

// Go with caches of its own, and only the Go that is installed.
const goVariables = {
  GOPATH: join(toolsFolder, 'go'),
  GOCACHE: join(toolsFolder, 'go-build'),
  GOTOOLCHAIN: 'local',
  // Without it `npm ci` cannot remove the folder.
  GOFLAGS: `${process.env.GOFLAGS ?? ''} -modcacherw`.trim(),
};

/** Runs Go in a folder. */
export const go = (args: string[], cwd: string): Promise<string> => run('go', args, cwd, goVariables);

/** Runs the printed command that begins with `start`: it reads the document and writes into this folder. */
export async function generate(folder: string, start: string): Promise<void> {
  const commands = (await printed('clients', 'en')).map(({ text }) => text);
  const command = commands.find((text) => text.startsWith(`${start} `));
  if (!command) throw new Error(`The page about generated clients prints no command ${start}.`);
  const path = [join(toolsFolder, 'python', 'bin'), programPath].join(delimiter);
  await run('sh', ['-c', command], folder, { ...goVariables, PATH: path });
}

/** The folder of programs in other languages that use generated clients. */
export const programs = join(root, 'e2e', 'clients', 'programs');

/** Returns the path of Json.NET 10 for generated C#, from npm: Debian's is too old. */
export async function fetchJsonNet(): Promise<string> {
  const inside = 'autorest.csharp/src/bin/netcoreapp2.0/Newtonsoft.Json.dll';
  const file = join(toolsFolder, inside);
  if (existsSync(file)) return file;
  await mkdir(toolsFolder, { recursive: true });
  const archive = await run('npm', ['pack', '--silent', '@microsoft.azure/autorest.csharp@2.3.102'], toolsFolder);
  await run('tar', ['xzf', archive.trim(), inside], toolsFolder);
  return file;
}
