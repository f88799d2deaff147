/** Prints a line for the person who started the service; unlike log lines it is not JSON. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}
