import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into a service whose memory is measured: on SIGUSR2 it collects garbage and prints the memory.

setFlagsFromString('--expose-gc');
// Kept because the service later replaces `write`, to turn the output of libraries into log lines.
const write = process.stdout.write.bind(process.stdout);
const collect = runInNewContext('gc') as (options: object) => void;

process.on('SIGUSR2', () => {
  for (let round = 0; round < 3; round++) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed, external } = process.memoryUsage();
  write(`${JSON.stringify({ settled: { rss, heapUsed, external } })}\n`);
});
