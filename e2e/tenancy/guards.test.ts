import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { expect, test } from 'vitest';
import { actions } from '#e2e/tenancy/actions.ts';
import { root } from '#harness/service.ts';
import { router } from '#server/api/router.ts';

const files = ['app', 'server', 'db'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

// Made without a guard, each for a reason.
const unguarded: Record<string, string> = {
  acceptInvitationAction: 'the link is the proof',
  checkCompanyAction: 'there is nobody yet who could sign in; the set-up code is the proof',
  setupAction: 'as checkCompanyAction',
  chooseLanguageAction: 'anybody may choose a language for their browser',
};
const guardOf: Record<string, string> = {
  ...{ owner: 'ownerAction', 'proved owner': 'provedOwnerAction', 'signed in': 'sessionAction' },
};

test('every exported action is made by a guard, the one that its row in the table names, or stands in the short list of public ones', () => {
  const found = files
    .filter((file) => /['"]use server['"]/.test(read(file)))
    .flatMap((file) =>
      [...read(file).matchAll(/^export (?!type )(.*)$/gm)].map(([, line = '']) => ({
        name: /(?:const|function) (\w+)/.exec(line)?.[1] ?? line,
        guard: /^const \w+ = (\w+)\($/.exec(line.replace(/\(.*$/, '('))?.[1] ?? null,
      })),
    );
  expect(found.length).toBe(Object.keys(actions).length);
  for (const { name, guard } of found) {
    const wanted = actions[name]?.guard ?? 'no row';
    if (name in unguarded) expect([name, guard, wanted]).toEqual([name, null, 'everyone']);
    else if (wanted === 'employee')
      expect([name, guard]).toEqual([name, expect.stringMatching(/^employee(?:Session)?Action$/)]);
    else expect([name, guard]).toEqual([name, guardOf[wanted]]);
  }
});

test('every page and route below /owner asks for the owner, every one below /portal for the employee', () => {
  const asks = {
    owner: /\b(?:requireOwner|readEmployee)\(|session\?\.owner\b|\(await currentSession\(\)\)\?\.owner\b/,
    portal: /\brequireEmployee\(|session\?\.employee\b|\banswer(?:Feed|Stream)\(/,
  };
  const without = Object.entries(asks).flatMap(([area, pattern]) =>
    files.filter((file) => new RegExp(`^app/${area}/.*(?:page|route)\\.tsx?$`).test(file) && !pattern.test(read(file))),
  );
  expect(without).toEqual([]);
  expect(read('app/owner/employees/[id]/read-employee.ts')).toMatch(asks.owner);
});

test('T8: the only procedures are the two a key may use, both say so, and only the interface’s own handler calls them', () => {
  const procedures = Object.entries(router._def.procedures);
  expect(procedures.map(([name, { _def }]) => [name, _def.type, (_def.meta as OpenApiMeta).openapi?.path])).toEqual([
    ['read', 'query', '/api/v1/notif.php'],
    ['send', 'mutation', '/api/v1/notif.php'],
  ]);
  const callers = files.filter((file) => /createCaller\b|@trpc\/server\/adapters|fetchRequestHandler/.test(read(file)));
  expect(callers).toEqual(['server/api/handle.ts', 'server/api/router.ts']);
});

test('every pattern that decides what is let in is anchored at both ends and knows no lines', () => {
  const patterns = files.flatMap((file) =>
    [...read(file).matchAll(/\.regex\((\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\/[a-z]*)/g)].map(
      ([, pattern = '']) => ({ file, pattern }),
    ),
  );
  expect(patterns.length).toBeGreaterThan(3);
  expect(patterns.filter(({ pattern }) => !/^\/\^.*\$\/[a-ln-z]*$/.test(pattern))).toEqual([]);
});
