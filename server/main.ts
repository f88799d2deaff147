import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before the other imports, which take most of the time of a start. Not in the system's temporary
// folder, where other users could put code.
enableCompileCache(join(import.meta.dirname, '..', '.next', 'compiled'));
await import('#server/runtime/start.ts');
