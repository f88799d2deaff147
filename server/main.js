import '../platform/config/require-node.js';
import module from 'node:module';
import { join } from 'node:path';

// JavaScript: for a program in TypeScript, Node would load its compiler, which takes 13 MB. The cache
// has what it made of the other files. Before the other imports, which take most of the time of a
// start. Not in the system's temporary folder, where other users could put code.
module.enableCompileCache(join(import.meta.dirname, '..', '.next', 'compiled'));
await import('#server/runtime/start.ts');
