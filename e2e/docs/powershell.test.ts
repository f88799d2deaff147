import { expect, test } from 'vitest';
import { Language, type Node, Parser, type Tree } from 'web-tree-sitter';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { audited, makeReader, printedBlock, sentTo } from '#e2e/support/http/reader.ts';

async function parsePowerShell(text: string): Promise<Tree> {
  await Parser.init();
  const grammar = import.meta.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(new URL(grammar).pathname));
  const tree = parser.parse(text);
  if (!tree) throw new Error('The parser gave up.');
  return tree;
}

// Names and expressions of a hash table that is assigned to a variable, or is the value of a key.
function entriesOf(tree: Tree, owner: string): Record<string, string> {
  const holders = tree.rootNode.descendantsOfType(['assignment_expression', 'hash_entry']);
  const holder = holders.find((node) => node.child(0)?.text === owner);
  const [table] = holder?.descendantsOfType('hash_literal_expression') ?? [];
  const own = table?.descendantsOfType('hash_entry').filter((entry) => nearestTable(entry)?.id === table.id) ?? [];
  return Object.fromEntries(own.map((entry) => [entry.child(0)?.text ?? '', entry.child(2)?.text ?? '']));
}

function nearestTable(node: Node): Node | null {
  for (let at = node.parent; at; at = at.parent) if (at.type === 'hash_literal_expression') return at;
  return null;
}

const unquoted = (text = '') => text.replace(/^'|'$/g, '');

test('PowerShell: the script parses, and a damaged one does not', async () => {
  const { text } = await printedBlock('powershell', 'notif.ps1');
  expect((await parsePowerShell(text)).rootNode.hasError).toBe(false);
  for (const damage of ['}', "'", '(', ')'])
    expect((await parsePowerShell(text.replace(damage, ''))).rootNode.hasError, damage).toBe(true);
});

test('PowerShell: the request that the script describes is accepted', async () => {
  const { text } = await printedBlock('powershell', 'notif.ps1');
  const tree = await parsePowerShell(text);
  expect(entriesOf(tree, '$fields')).toEqual({ judul: '$Judul', isi: '$Isi' });
  const request = entriesOf(tree, '$request');
  expect(request.Body).toBe('[Text.Encoding]::UTF8.GetBytes($json)');
  const headers = entriesOf(tree, 'Headers');
  expect(headers).toEqual({
    "'X-API-Key'": '$env:NOTIF_KEY',
    "'Accept-Language'": "'id'",
    "'Idempotency-Key'": '[guid]::NewGuid().ToString()',
  });
  expect(text).toContain('\n$json = ConvertTo-Json $fields -Compress\n');
  expect(unquoted(request.Uri)).toBe(`${baseUrl}/api/v1/notif.php`);

  const { key, arrived } = await makeReader();
  const sent = await fetch(unquoted(request.Uri), {
    method: unquoted(request.Method).toUpperCase(),
    headers: {
      'Content-Type': unquoted(request.ContentType),
      'X-API-Key': key,
      'Idempotency-Key': crypto.randomUUID(),
    },
    body: Buffer.from(JSON.stringify({ isi: 'Semua hadir di aula.', judul: 'Rapat – “é”' })),
  });
  expect(await sent.text()).toBe(sentTo(2));
  expect(await arrived()).toEqual({ titles: [['Rapat – “é”'], ['Rapat – “é”']], audited: audited(2) });
});
