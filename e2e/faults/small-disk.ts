import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { ownerUrlOf } from '#db/service-role.ts';

// Runs a PostgreSQL on a small disk in a mount namespace. Commands on standard input fill and free it.

const [folder = ''] = process.argv.slice(2);
const ballast = join(folder, 'ballast');
const database = await startEmbedded(folder);
process.stdout.write(`${database.url} ${ownerUrlOf(database.url)} ${database.adminUrl}\n`);

async function fill(): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const chunk = Buffer.alloc(1024 * 1024);
  const chunks = Math.ceil((bavail * bsize) / chunk.length) + 1;
  for (let count = 0; count < chunks; count++) await writeFile(ballast, chunk, { flag: 'a' }).catch(() => {});
}

for await (const order of createInterface({ input: process.stdin })) {
  if (order === 'fill') await fill();
  else await rm(ballast, { force: true });
  process.stdout.write(`${order}\n`);
}
await database.stop();
