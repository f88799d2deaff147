import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { expect, test } from 'vitest';
import { root } from '#e2e/support/service/service.ts';
import { languages } from '#platform/language.ts';

type Messages = { [name: string]: string | Messages };

function listTexts(messages: Messages, prefix = ''): [string, string][] {
  return Object.entries(messages).flatMap(([name, value]) =>
    typeof value === 'string' ? [[prefix + name, value]] : listTexts(value, `${prefix + name}.`),
  );
}

function listArguments(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return [element.value, ...listArguments(element.children)];
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => listArguments(value))];
    return element.type === TYPE.argument || element.type === TYPE.number ? [element.value] : [];
  });
}

/** The arguments of each text of a language, by file and name. Only texts in `icu/` are ICU messages. */
function listShapes(folder: string): [string, string[]][] {
  return globSync('**/*.json', { cwd: folder }).flatMap((file) => {
    const argumentsOf = (text: string) =>
      file.startsWith('icu') ? listArguments(parse(text)) : (text.match(/(?<=\{)\w+(?=\})/g) ?? []);
    const messages = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Messages;
    return listTexts(messages, `${file}: `).map(([name, text]) => [name, [...new Set(argumentsOf(text))].sort()]);
  });
}

test('every language has the same texts, and each text has the same arguments in all', () => {
  const [first, ...others] = languages.map((language) =>
    Object.fromEntries(listShapes(join(root, 'messages', language))),
  );
  expect(Object.keys(first ?? {}).length).toBeGreaterThan(2000);
  for (const other of others) expect(other).toEqual(first);
});
