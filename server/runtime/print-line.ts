// Taken before the output is captured (server/captured-output.ts).
const writeOutput = process.stdout.write.bind(process.stdout);
const writeErrors = process.stderr.write.bind(process.stderr);

/** Prints a line for the person who started the service; unlike log lines it is not JSON. */
export function printLine(text: string): void {
  writeOutput(`${text}\n`);
}

/** Prints why a start or a build failed to standard error, for the same person. */
export function printError(text: string): void {
  writeErrors(`${text}\n`);
}
