import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const app = import.meta.dirname;
const kit = join(app, '..', 'node_modules', '@mantine', 'core');
const read = (file: string) => readFileSync(file, 'utf8');

function listImported(): Set<string> {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const lists = files.flatMap((file) => [
    ...read(join(app, file)).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
  ]);
  const names = lists.flatMap(([, list = '']) => list.split(',')).map((name) => name.trim());
  return new Set(names.filter((name) => name !== '' && !name.startsWith('type ')));
}

// Follows the kit's own imports from what we import to every component whose style sheet it may
// draw with.
function listDrawn(names: Set<string>): Set<string> {
  const index = join(kit, 'esm', 'index.mjs');
  const imports = (file: string) => [...read(file).matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)];
  const defaults = (file: string) => [...read(file).matchAll(/import \w+ from "(\.[^"]+)"/g)];
  const waiting = imports(index)
    .filter(([, list = '']) => list.split(',').some((name) => names.has(name.trim().replace(/.* as /, ''))))
    .map(([, , path = '']) => join(dirname(index), path));
  const seen = new Set<string>();
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const paths = [...imports(file).map(([, , path = '']) => path), ...defaults(file).map(([, path = '']) => path)];
    waiting.push(...paths.map((path) => join(dirname(file ?? ''), path)));
  }
  const sheets = [...seen].filter((file) => file.endsWith('.module.mjs')).map((file) => basename(file, '.module.mjs'));
  return new Set(sheets.filter((name) => existsSync(join(kit, 'styles', `${name}.css`))));
}

test('the style sheets of the kit are those of the components that are used, all of them and in its order', () => {
  const whole = read(join(kit, 'styles.css'));
  const place = (name: string) => whole.indexOf(read(join(kit, 'styles', `${name}.css`)).slice(0, 80));
  const wanted = [...listDrawn(listImported())].sort((a, b) => place(a) - place(b));
  const given = [...read(join(app, 'theme', 'mantine.css')).matchAll(/styles\/([\w-]+)\.css/g)].map(([, name]) => name);
  expect(given).toEqual(['baseline', 'default-css-variables', 'global', ...wanted]);
});
