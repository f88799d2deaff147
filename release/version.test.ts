import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test as plain } from 'vitest';
import { lacks } from '#e2e/support/programs.ts';

const test = plain.skipIf(lacks('git'));

const root = join(import.meta.dirname, '..');
const next = '99.1.0';
let folder: string;

const run = (program: string, ...args: string[]) => {
  const ended = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  return { ...ended, stdout: ended.stdout.trim() };
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notif-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  run('git', 'clone', '-q', '--no-tags', root, '.');
  run('git', 'config', 'user.name', 'Test');
  run('git', 'config', 'user.email', 'test@example.com');
  for (const file of ['.npmrc', 'package.json', 'package-lock.json'])
    copyFileSync(join(root, file), join(folder, file));
  appendFileSync(join(folder, 'CHANGELOG.md'), '\n## 99.1.0\n');
  run('git', 'commit', '-qam', 'Describe the next version');
});

test('npm version writes the version everywhere, tags it and names the last release', () => {
  const before = (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
  expect(run('npm', 'version', next)).toMatchObject({ status: 0 });
  const tagged = run('git', 'rev-parse', `v${next}^{commit}`).stdout;
  expect(readFileSync(join(folder, 'release', 'last-release'), 'utf8').trim()).toBe(tagged);
  expect(run('git', 'log', '-2', '--format=%s').stdout).toBe(`Name the last release\nRelease ${next}`);
  expect(run('git', 'status', '--short').stdout).toBe('');
  const files = ['package.json', 'package-lock.json', 'deploy', 'docs/operations.md'];
  expect(run('git', 'grep', '-lF', next, '--', ...files).stdout.split('\n')).toEqual([
    'deploy/container/Dockerfile',
    'deploy/container/compose.yaml',
    'deploy/kubernetes.yaml',
    'docs/operations.md',
    'package-lock.json',
    'package.json',
  ]);
  expect(run('git', 'grep', '-F', before, '--', 'deploy', 'docs/operations.md').stdout).toBe('');
});

test('npm version refuses a version that CHANGELOG.md does not describe, and changes nothing', () => {
  const { status, stderr } = run('npm', 'version', '99.2.0');
  expect([status, stderr]).toEqual([1, expect.stringContaining('CHANGELOG.md has no line ## 99.2.0')]);
  expect(run('git', 'status', '--short').stdout).toBe('');
  expect(run('git', 'tag').stdout).toBe('');
});
