import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before the other imports, which take most of the time of a command. Not in the system's temporary
// folder, where other users could put code.
enableCompileCache(join(import.meta.dirname, '../..', '.next', 'compiled'));
const { runCommandLine } = await import('#server/command/run.ts');
const exitCode = await runCommandLine(process.argv.slice(2));
// A statement that was given up may keep its connection open until the database ends it.
if (exitCode !== null) process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
