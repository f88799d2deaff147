// Runs after every install (`postinstall` in package.json), on any Node from version 20 on.
// It removes what no program of this project reads: a fifth of node_modules.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', 'node_modules');

// Builds, styles, types and pages that nothing here uses.
const unused = [
  'lucide-react/dynamic.d.mts',
  'lucide-react/dynamic.d.ts',
  'lucide-react/dynamicIconImports.d.mts',
  'lucide-react/dynamicIconImports.d.ts',
  'next/dist/docs',
  'tree-sitter-powershell/prebuilds',
  'tree-sitter-powershell/src',
];

// Source maps, the C headers of Node, and the paths above.
function listUnneeded() {
  const files = readdirSync(packages, { recursive: true, withFileTypes: true });
  const maps = files.filter((file) => file.isFile() && /\.(?:[cm]?[jt]s|css)\.map$/.test(file.name));
  const nodes = readdirSync(packages).filter((name) => /^node-(darwin|linux|win)-/.test(name));
  return [
    ...maps.map((file) => join(file.parentPath ?? file.path, file.name)),
    ...nodes.map((name) => join(packages, name, 'include')),
    ...unused.map((path) => join(packages, path)),
  ];
}

for (const path of listUnneeded()) rmSync(path, { recursive: true, force: true });
