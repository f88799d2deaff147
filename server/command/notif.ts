import { runCommandLine } from '#server/command/run.ts';

const exitCode = await runCommandLine(process.argv.slice(2));
// A statement that was given up may keep its connection open until the database ends it.
if (exitCode !== null) process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
