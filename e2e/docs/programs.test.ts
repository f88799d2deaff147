import { expect, test } from 'vitest';
import { sendJson } from '#e2e/support/http/interface.ts';
import { printed } from '#e2e/support/http/printed.ts';
import { audited, makeReader, printedBlock, throughProxy } from '#e2e/support/http/reader.ts';
import { lacks, type Program } from '#e2e/support/programs.ts';
import type { Failure } from '#e2e/support/proxies/proxy.ts';

type RecipeProgram = { recipe: string; file: string; command: string; needs: Program[] };

const programs: RecipeProgram[] = [
  { recipe: 'php', file: 'notif.php', command: 'php', needs: ['php'] },
  { recipe: 'guzzle', file: 'notif-guzzle.php', command: 'php', needs: ['php', 'guzzle'] },
  { recipe: 'python-requests', file: 'notif_requests.py', command: 'python3', needs: ['python3', 'python3 requests'] },
  { recipe: 'python', file: 'notif.py', command: 'python3', needs: ['python3'] },
  { recipe: 'node', file: 'notif.mjs', command: 'node', needs: [] },
  { recipe: 'go', file: 'notif.go', command: 'go run', needs: ['go'] },
];

const inIndonesian = { 'Accept-Language': 'id' };

// The first run of Go on a machine compiles its library; three at once would each do it.
const timeoutMs = 180_000;
let compiled: Promise<unknown> | undefined;

/** A reader who saved the program, and the two printed commands: to one person, to everyone. */
async function readRecipe({ recipe, file, command }: RecipeProgram, failures?: Failure[]) {
  const reader = await makeReader();
  const { text } = await printedBlock(recipe, file);
  const stumbling = failures && (await throughProxy(text, failures));
  await reader.keep(file, stumbling?.text ?? text);
  // What `composer require guzzlehttp/guzzle` would bring, as Debian packages it.
  await reader.keep('vendor/autoload.php', "<?php require 'GuzzleHttp/autoload.php';");
  if (command === 'go run') {
    compiled ??= reader.run(`go build -o /dev/null ${file}`);
    await compiled;
  }
  const [toOne = '', toEveryone = ''] = (await printed(`recipes/${recipe}`, 'id'))
    .map(({ text }) => text)
    .filter((line) => line.startsWith(`${command} ${file} `));
  return { reader, toEveryone, toOne, proxy: stumbling?.proxy };
}

for (const program of programs) {
  const testProgram = test.skipIf(lacks(...program.needs)).concurrent;
  testProgram(
    `${program.recipe}: as printed it sends to one person and to everyone, and prints the count`,
    async () => {
      const { reader, toEveryone, toOne } = await readRecipe(program);
      const letters = toOne.replace('Kasbon disetujui', 'Kasbon – \'é\' \\"✓\\" <b>');
      expect(await reader.run(letters, { USER_ID: reader.userId })).toEqual({ code: 0, out: 'terkirim: 1\n', err: '' });
      expect(await reader.run(toEveryone)).toEqual({ code: 0, out: 'terkirim: 2\n', err: '' });
      expect(await reader.arrived()).toEqual({
        titles: [[`Kasbon – 'é' "✓" <b>`, 'Rapat pukul 10'], ['Rapat pukul 10']],
        audited: audited(1, 2),
      });
    },
    timeoutMs,
  );

  testProgram(
    `${program.recipe}: a lost answer, 503 and 429 are repeated with one Idempotency-Key, sent once`,
    async () => {
      const { reader, toEveryone, proxy } = await readRecipe(program, ['answer lost', 503, 429]);
      expect(await reader.run(toEveryone)).toEqual({ code: 0, out: 'terkirim: 2\n', err: '' });
      await proxy?.stop();
      expect(proxy?.onceKeys).toHaveLength(4);
      expect(new Set(proxy?.onceKeys).size).toBe(1);
      expect(proxy?.onceKeys[0]).toMatch(/^[0-9a-f-]{32,36}$/);
      expect(proxy?.replayed).toEqual([false, true]);
      expect((await reader.arrived()).audited).toEqual(audited(2));
    },
    timeoutMs,
  );

  testProgram(
    `${program.recipe}: a refusal is printed, is not repeated, and the exit code is not 0`,
    async () => {
      const { reader, toEveryone, toOne, proxy } = await readRecipe(program, []);
      const emptyId = await sendJson(reader.key, { judul: 'Judul', isi: 'Isi', user_id: '' }, inIndonesian);
      const unset = await reader.run(toOne);
      expect([unset.out, unset.code]).toEqual(['', 1]);
      expect(unset.err).toContain(`HTTP 400: ${emptyId.json.error}\n`);
      await reader.revoke();
      const revoked = await sendJson(reader.key, {}, inIndonesian);
      const rejected = await reader.run(toEveryone);
      expect([rejected.out, rejected.code]).toEqual(['', 1]);
      expect(rejected.err).toContain(`HTTP 401: ${revoked.json.error}\n`);
      await proxy?.stop();
      expect(proxy?.onceKeys).toHaveLength(2);
      expect((await reader.arrived()).titles).toEqual([[], []]);
    },
    timeoutMs,
  );
}
