import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notif-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = (name: string) => ({ [`${name}/package.json`]: JSON.stringify({ name, version: '1.0.0' }) });
  for (const [file, content] of Object.entries({
    'package.json': JSON.stringify({
      dependencies: { served: 'file:served' },
      devDependencies: { tested: 'file:tested' },
      optionalDependencies: { native: 'file:native' },
    }),
    ...program('served'),
    ...program('tested'),
    ...program('native'),
    // Copies instead of links, as packages of a registry are.
    '.npmrc': 'install-links=true',
  })) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  run('npm', 'install', '--package-lock-only', '--offline');
});

function run(program: string, ...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const install = (...args: string[]) => run('node', join(import.meta.dirname, 'install.mjs'), ...args);

test('a first start installs what serves, once, and the tests install the rest', () => {
  expect(install()).toContain('Installs packages once: one minute');
  expect(install()).toBe('');
  expect(install('--with-tests')).toContain('Installs packages once: two minutes');
  expect(install('--with-tests')).toBe('');
  expect(install()).toBe('');
});

test('an install that was cut off is repeated, and so is one of another version', () => {
  install();
  rmSync(join(folder, 'node_modules', '.package-lock.json'));
  expect(install()).toContain('Installs packages');
  for (const file of ['served/package.json', 'package-lock.json'].map((name) => join(folder, name)))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"1.0.0"', '"1.0.1"'));
  expect(install()).toContain('Installs packages');
  expect(install()).toBe('');
});

test('an optional package of another version is installed again, and one that this system lacks is not', () => {
  install();
  const change = (file: string, edit: (packages: Record<string, { version: string } | undefined>) => void) => {
    const lock = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    edit(lock.packages);
    writeFileSync(join(folder, file), JSON.stringify(lock));
  };
  change('package-lock.json', ({ 'node_modules/native': native }) => Object.assign(native ?? {}, { version: '1.0.1' }));
  writeFileSync(join(folder, 'native', 'package.json'), JSON.stringify({ name: 'native', version: '1.0.1' }));
  expect(install()).toContain('Installs packages');
  change('node_modules/.package-lock.json', (packages) => delete packages['node_modules/native']);
  expect(install()).toBe('');
});

test('a Node that drops headers unseen is not used: the start brings one', () => {
  const sizeOn = (version: string) => {
    const asVersion = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const args = ['--import', `data:text/javascript,${asVersion}`, join(import.meta.dirname, 'install.mjs')];
    // Without a path it finds no npm, and installs nothing.
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { NODE_ENV: 'test', PATH: '' } })
      .stdout;
  };
  for (const version of ['22.23.2', '22.24.0', '24.18.1', '24.100.0']) expect(sizeOn(version)).toContain('290 MB');
  for (const version of ['20.20.2', '22.9.9', '22.23.1', '24.18.0', '26.0.0'])
    expect(sizeOn(version)).toContain('410 MB');
});
