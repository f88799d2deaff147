import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from '#server/compile-cache.ts';

// Before the rest is loaded: loading takes most of the time of a command.
enableCompileCache(compileCacheFolder);
const { runCommandLine } = await import('#server/command/run.ts');
const exitCode = await runCommandLine(process.argv.slice(2));
// A statement that was given up may keep its connection open until the database ends it.
if (exitCode !== null) process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
