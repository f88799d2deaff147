import { expect, test } from 'vitest';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { makeReader } from '#e2e/support/http/reader.ts';
import { lacks, type Program } from '#e2e/support/programs.ts';

// What programs make of a recipient that is written in their own ways. `$URL` and `$KEY` are those of the reader.
const php = (query: string) => `php -r '
  $h = curl_init(getenv("URL"));
  curl_setopt_array($h, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ["X-API-Key: " . getenv("KEY")],
    CURLOPT_POSTFIELDS => http_build_query(["judul" => "a", "isi" => "b"] + ${query})]);
  echo curl_exec($h);'`;
const requests = (more: string) => `python3 -c '
import os, requests
print(requests.post(os.environ["URL"], headers={"X-API-Key": os.environ["KEY"]}, ${more}).text)'`;
const curl = (...args: string[]) => `curl -sS "$URL" -H "X-API-Key: $KEY" ${args.join(' ')}`;
const texts = '"judul": "a", "isi": "b"';

const rows: [string, Program[], string][] = [
  ['PHP: a list', ['php'], php('["user_id" => [7]]')],
  ['PHP: a list with its own index', ['php'], php('["user_id" => [3 => 7]]')],
  ['PHP: a nested array', ['php'], php('["user" => ["id" => 7]]')],
  ['requests: params=', ['python3 requests'], requests(`params={"user_id": 7}, json={${texts}}`)],
  ['requests: a list in a form', ['python3 requests'], requests(`data={${texts}, "user_id[]": [7, 8]}`)],
  ['curl: an & of HTML', [], curl("-d 'judul=a&isi=b&amp;user_id=7'")],
  ['curl: a text with a bare &', [], curl("-d 'judul=Rapat & makan&isi=b'")],
  ['curl: a template that was not filled', [], curl("-F judul=a -F isi=b -F '{{user_id}}=7'")],
];

for (const [name, needs, command] of rows)
  test.skipIf(lacks(...needs))(`${name}: refused, and nobody gets it`, async () => {
    const reader = await makeReader();
    const variables = { URL: `${baseUrl}/api/v1/notif.php`, KEY: reader.key };
    const { out } = await reader.run(command, variables);
    expect(JSON.parse(out)).toMatchObject({ ok: false, code: 'recipient_unclear', field: 'user_id' });
    expect((await reader.arrived()).titles).toEqual([[], []]);
  });
