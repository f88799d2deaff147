/** Prints a line for the person who started the service; unlike log lines it is not JSON. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints why a start or a build failed to standard error, for the same person. */
export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}
