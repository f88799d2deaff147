import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from '#server/compile-cache.ts';

// Before the rest is loaded: loading takes most of the time of a command.
enableCompileCache(compileCacheFolder);
const { runCommandLine } = await import('#server/command/run.ts');
const exitCode = await runCommandLine(process.argv.slice(2));
if (exitCode !== null) process.exitCode = exitCode;
