import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtActions } from '#e2e/support/service/build.ts';
import { root } from '#e2e/support/service/service.ts';
import { actionsKey, asBuildId } from '#platform/config/build.ts';
import { hashSources } from '#server/runtime/build-pages.ts';

test('the id of the build follows from its sources', async () => {
  expect(await readFile(join(root, '.next/BUILD_ID'), 'utf8')).toBe(asBuildId(await hashSources()));
});

test('the id of an action follows from its file and its name', () => {
  const idOf = (file: string, name: string) => createHash('sha1').update(`${actionsKey}${file}:${name}`).digest('hex');
  // The first two digits say which arguments the action takes.
  expect(builtActions.map(({ id }) => id.slice(2))).toEqual(builtActions.map(({ file, name }) => idOf(file, name)));
});

test('no action closes over variables, because the key that encrypts them is no secret', () => {
  expect(builtActions.filter(({ name }) => name.startsWith('$$RSC_SERVER_ACTION'))).toEqual([]);
});
