import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { expect, test } from 'vitest';
import english from '#messages/en.json' with { type: 'json' };
import indonesian from '#messages/id.json' with { type: 'json' };

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

test('both languages have the same texts, and each text has the same arguments in both', () => {
  const shape = (messages: Messages) =>
    Object.fromEntries(
      listTexts(messages).map(([key, text]) => [key, [...new Set(listArguments(parse(text)))].sort()]),
    );
  expect(shape(english)).toEqual(shape(indonesian));
});
