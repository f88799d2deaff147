import { expect, test } from 'vitest';
import { sendJson } from '#e2e/support/http/interface.ts';
import { printed } from '#e2e/support/http/printed.ts';
import { makeReader } from '#e2e/support/http/reader.ts';
import { lacks, type Program } from '#e2e/support/programs.ts';

// How each printed function becomes a program that cuts its standard input.
const wrappers: { language: string; needs: Program[]; file: string; run: string; wrap: (text: string) => string }[] = [
  {
    language: 'sh',
    needs: [],
    file: 'cut.sh',
    run: 'sh cut.sh',
    wrap: (text) => text.replace(/isi=\$\((.*) <.*\)/, '$1'),
  },
  {
    language: 'php',
    needs: ['php'],
    file: 'cut.php',
    run: 'php cut.php',
    wrap: (text) => `<?php\n${text}\necho cut_text(stream_get_contents(STDIN));`,
  },
  {
    language: 'python',
    needs: ['python3'],
    file: 'cut.py',
    run: 'PYTHONIOENCODING=utf-8 python3 cut.py',
    wrap: (text) => `${text}\nimport sys\nsys.stdout.write(cut_text(sys.stdin.read()))`,
  },
  {
    language: 'js',
    needs: [],
    file: 'cut.mjs',
    run: 'node cut.mjs',
    wrap: (text) =>
      `${text}\nimport { readFileSync } from 'node:fs';\nprocess.stdout.write(cutText(readFileSync(0, 'utf8')));`,
  },
  {
    // PowerShell is not in Debian. Its calls of .NET are the same in C#.
    language: 'powershell',
    needs: ['mono'],
    file: 'cut.cs',
    run: 'mcs -out:cut.exe cut.cs && mono cut.exe',
    wrap: (text) => {
      const [, bytes = '', cut = ''] = /\$bytes = (.*)\n\s*(.*)\n/.exec(text) ?? [];
      const sharp = (line: string) =>
        line.replace(/\[([\w.]+)\]::/g, 'System.$1.').replace(/\$(\w+)/g, (_, name) => name.toLowerCase());
      return `class Cut { static void Main() {
        var text = new System.IO.StreamReader(System.Console.OpenStandardInput()).ReadToEnd();
        var max = 255; var bytes = ${sharp(bytes)}; var cut = ${sharp(cut)};
        var all = new System.Text.UTF8Encoding(false).GetBytes(cut);
        System.Console.OpenStandardOutput().Write(all, 0, all.Length); } }`;
    },
  },
];

const texts = [
  'pendek',
  'a'.repeat(300),
  'é'.repeat(300),
  '😀'.repeat(300),
  'e\u0301'.repeat(200),
  `${'a'.repeat(254)}👨‍👩‍👧`,
];

for (const { language, needs, file, run, wrap } of wrappers)
  test.skipIf(lacks(...needs))(
    `cut-text: ${language} keeps the first 255 characters, and they are accepted`,
    async () => {
      const reader = await makeReader();
      const block = (await printed('recipes/cut-text', 'id')).find((one) => one.language === language);
      await reader.keep(file, wrap(block?.text ?? ''));
      for (const [index, text] of texts.entries()) {
        await reader.keep(`${index}.txt`, text);
        const { out } = await reader.run(`(${run}) < ${index}.txt`);
        expect([...out], text).toEqual([...text].slice(0, 255));
        const sent = await sendJson(reader.key, { judul: 'Potong', isi: out, user_id: Number(reader.userId) });
        expect([sent.status, sent.json.terkirim]).toEqual([200, 1]);
      }
    },
  );
