import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { innerPaths, naughtyTexts, words } from '#e2e/support/data/random.ts';
import { test } from '#e2e/support/data/test.ts';
import { askHere, type Case, each, makeTable } from '#e2e/support/http/input-table.ts';
import { form, get, good, json, multipart, part, path, ping, post, utf8, withKey } from '#e2e/support/http/requests.ts';
import { draftLimits, findTextProblem, isInternalPath } from '#server/notifications/field-rules.ts';

// What a body and its fields may be, answered in this process. What only a socket can send: e2e/transport/input.test.ts.

const { row, employeeId } = await makeTable();
const fine = part('judul', 'a') + part('isi', 'b');
const end = '--b--\r\n';
const asJson = (body: string) => post(utf8(body));
const asType = (type: string) => post(good, [`Content-Type: ${type}`]);
/** JSON with the fields that are required, and these members. */
const having = (members: string) => asJson(`{"judul":"a","isi":"b",${members}}`);
/** The same with a user_id for everyone, beside which unknown fields are ignored. */
const toAll = (members: string) => having(`"user_id":0,${members}`);

row('B1', 'malformed JSON, an empty and a blank body are 400', [
  ...each('json_malformed', asJson, [
    ...'{"judul":"a","isi":"b"|{"judul":"a","isi":"b",}|{\'judul\':\'a\',\'isi\':\'b\'}'.split('|'),
    ...'{"judul":"a","isi":"b","user_id":NaN}|{"judul":"a\tb","isi":"b"}|{"judul":"a","isi":"b"}{}'.split('|'),
    ...['{"judul":"a","isi":"b"}\u0000', '<xml/>', `\u00a0${good}`],
  ]),
  ...each('body_empty', post, ['', ' ', '\r\n\t ', '\n']),
  ...each(200, post, { 'blanks around it': `\r\n\t ${good} \n` }),
]);
const notObjects = words('null [] [{"judul":"a","isi":"b"}] "x" 5 0 -1e5 true false "" [null]');
row('B2', 'JSON that is not an object is 400', each('json_not_object', asJson, notObjects));
row('B3', 'of a repeated name in a JSON object the last one counts', [
  ...each(200, asJson, ['{"judul":5,"judul":"a","isi":"b"}']),
  ...each('field_not_text', asJson, ['{"judul":"a","isi":"b","judul":5}']),
  ...each(200, having, ['"user_id":1.5,"user_id":0', '"user_id":1e-400,"user_id":0']),
  ...each('user_id_empty', having, ['"user_id":0,"user_id":null']),
  ...each('user_id_not_integer', having, ['"user_id":0,"user_id":1e-400']),
  ['a name written with an escape', having('"user_id":0,"user\\u005fid":-1'), 404, 'employee_not_in_company'],
]);
const names = words(
  '__proto__ constructor prototype toString valueOf hasOwnProperty __defineGetter__ then toJSON length',
);
row('B4', 'names of Object.prototype are unknown names', [
  ...names.flatMap((name) => each(200, toAll, [`"${name}":{"user_id":-1,"polluted":1}`, `"${name}":"x"`])),
  ...each('field_missing', asJson, ['{"__proto__":{"judul":"a","isi":"b"}}']),
  ...each('field_missing', asJson, ['{"constructor":{"prototype":{"judul":"a"}},"isi":"b"}']),
  ...each(200, form, ['__proto__=x&__proto__[judul]=a&judul=a&isi=b&user_id=0&constructor.prototype.x=1']),
]);
const texts = ['judul', 'isi'];
const inTexts = (value: string): Case[] =>
  [...texts, 'url'].map((name) => written(name, `"/${value}"`, 400, 'field_forbidden_character'));
row('B5', 'NUL, U+0008 and U+000C in a text are 400', [
  ...['D:\\backup', 'foto\\f', '\\u0000', 'a\\u0000b'].flatMap(inTexts),
  ...each('field_forbidden_character', form, ['judul=a%00&isi=b']),
  ...each(200, toAll, { 'in an unknown field': '"x":"\\u0000","\\u0000":1' }),
]);
row('B6', 'a lone surrogate in a text is 400', [
  ...['\\ud800', 'a\\udfff', '\\udc00\\ud800', '\\ud800\\ud800\\udc00', '\\uD83Dx'].flatMap(inTexts),
  ...each(200, toAll, { 'a pair is a character': '"judul":"\\ud83d\\ude00"', unknown: '"x":1,"\\ud800":"\\udc00"' }),
]);
const notUtf8 = [
  ...'ÿ|À¯|í\u00a0\u0080|í\u00a0½í¸\u0080|é|\u0080|ô¿¿¿|ø\u0088\u0080\u0080\u0080|æ\u0097|Á¿'.split('|'),
  ...'à\u0080¯|ð\u0080\u0080¯|þ'.split('|'),
];
const percent = (bytes: string) => Buffer.from(bytes, 'latin1').toString('hex').replace(/../g, '%$&');
const inUtf16 = (text: string) => Buffer.from(text, 'utf16le');
row('B7', 'invalid UTF-8 is 400 in every media type', [
  ...each('body_not_utf8', (broken) => post(`{"judul":"${broken}","isi":"b"}`), notUtf8),
  ...each('body_not_utf8', (broken) => form(`judul=${broken}&isi=b`), notUtf8),
  ...each('form_malformed', (broken) => form(`judul=${percent(broken)}&isi=b`), notUtf8),
  ...each('body_not_utf8', (broken) => multipart(`${part('judul', broken)}${part('isi', 'b')}${end}`), notUtf8),
  ...each('body_utf16', post, {
    'UTF-16LE': inUtf16(`\ufeff${good}`).toString('latin1'),
    'UTF-16BE': inUtf16(`\ufeff${good}`).swap16().toString('latin1'),
    'UTF-16 without its mark': inUtf16(good).toString('latin1'),
  }),
  ...each('json_malformed', post, { 'UTF-32': [...good].map((letter) => `${letter}\0\0\0`).join('') }),
  ...each(200, post, { 'UTF-7': '{"judul":"+AGE-","isi":"b"}' }),
]);
row('B8', 'one byte order mark before the JSON is skipped', [
  ...each(200, asJson, [`\ufeff${good}`]),
  ...each('json_malformed', asJson, [`\ufeff\ufeff${good}`]),
  ...each('body_empty', asJson, ['\ufeff']),
]);
const deep = (open: string, close: string, levels: number) => `"x":${open.repeat(levels)}1${close.repeat(levels)}`;
row('B9', 'deep, wide and long bodies of up to 64 KiB are read or refused', [
  ...each(200, toAll, {
    '30,000 arrays': deep('[', ']', 30_000),
    '10,000 objects': deep('{"a":', '}', 10_000),
    '10,000 objects beside a user_id': `"user_id":0,${deep('{"a":', '}', 10_000)}`,
    'a user_id behind others that are not its own': '"isi":"\\"user_id\\":9","x":{"user_id":1.5},"user\\u005fid":0.0',
    '8,000 times one name': `${'"x":1,'.repeat(8000)}"x":1`,
    '4,000 times user_id': `${'"user_id":1,'.repeat(4000)}"user_id":0`,
    '60 KiB of one text': `"x":"${'x'.repeat(60_000)}"`,
    '60 KiB of zeros behind the point': `"user_id":0.${'0'.repeat(60_000)}`,
    '60 KiB of backslashes': `"x":"${'\\\\'.repeat(30_000)}"`,
  }),
  ...each('json_malformed', post, { '60,000 arrays that do not end': '['.repeat(60_000) }),
  ...each('user_id_not_integer', having, { '60 KiB of digits': `"user_id":${'9'.repeat(60_000)}` }),
]);
const longText = (length: number) => `{"judul":"a","isi":"b","user_id":0,"x":"${'x'.repeat(length - 42)}"}`;
row('B10', 'a body of more than 64 KiB is 400', [
  ...each(200, post, { '64 KiB': longText(65_536) }),
  ...each('body_too_large', post, { '64 KiB and one byte': longText(65_537) }),
  ...each('body_too_large', form, { 'a form': `judul=a&isi=b&x=${'x'.repeat(70_000)}` }),
  ...each('body_too_large', multipart, { parts: `${fine}${part('x', 'x'.repeat(70_000))}${end}` }),
]);
row('B15', 'a missing, unknown or repeated Content-Type is 400', [
  ['none', post(good, []), 400, 'content_type_missing'],
  ...each('content_type_missing', asType, ['']),
  ...each('content_type_unsupported', asType, [
    ...words('text/plain application/xml text/json application/x-json application/jsonp application/ld+json json */*'),
    ...words('application/problem+json application/json+x application/* text/html __proto__ constructor ; /'),
    ...'application/json, text/plain|application/json,application/json|multipart/mixed; boundary=b'.split('|'),
    ...['multipart/related; boundary=b', 'x'.repeat(5000), 'application/json\xe9', 'application / json'],
  ]),
  ['twice', post(good, [json, 'Content-Type: text/plain']), 400, 'content_type_unsupported'],
  ['twice the same', post(good, [json, json]), 400, 'content_type_unsupported'],
]);
const inCharset = (charset: string) => asType(`application/json; charset=${charset}`);
const formInCharset = (charset: string) =>
  post('judul=a&isi=b', [`Content-Type: APPLICATION/x-www-form-urlencoded; charset=${charset}`]);
row('B16', 'media types are read in any case, with the charset UTF-8 only', [
  ...each(200, asType, [
    ...'Application/JSON; charset=UTF-8|application/json;charset=utf8|APPLICATION/JSON'.split('|'),
    ...'application/json; charset="utf-8"|application/json ; charset=utf-8|application/json;'.split('|'),
    ...'application/json; version=1|application/json; boundary=b'.split('|'),
  ]),
  ...each('charset_unsupported', inCharset, words('iso-8859-1 latin1 utf-16 utf-7 us-ascii "" x utf-8x')),
  ...each(200, formInCharset, ['UTF-8']),
  ...each('charset_unsupported', formInCharset, ['latin1']),
]);
const encoded = (encoding: string) => post(good, [json, `Content-Encoding: ${encoding}`]);
row('B17', 'a compressed body is 400', [
  ...each('content_encoding_unsupported', encoded, words('gzip br deflate zstd x GZIP aes128gcm gzip,identity')),
  ...each(200, encoded, ['identity', 'Identity', '']),
]);
row('B18', 'a body with the wrong Content-Type is 400, with a code of its own', [
  ...each('json_labelled_as_form', form, [good, `\r\n ${good}`, '[]']),
  ...each('json_labelled_as_form', multipart, [good]),
  ...each('form_labelled_as_json', post, ['judul=a&isi=b']),
  ...each('json_malformed', post, { 'a multipart form as JSON': fine + end }),
  ...each('field_missing', form, { 'a multipart form as a form': fine + end }),
  ...each('form_malformed', multipart, { 'a form as a multipart form': 'judul=a&isi=b' }),
]);
row('B19', 'URL-encoded forms: broken escapes are 400, + is a space, ; is text', [
  ...each('form_malformed', (value) => form(`judul=${value}&isi=b`), [
    ...words('% %z %zz a% %1 %u0041 %G0 100% %ff %c0%af %ed%a0%80 %e6%97 %80'),
  ]),
  ...each('form_malformed', form, ['judul=a&isi=b&%zz=1', 'judul=a&isi=b&x=%zz']),
  ...each('field_forbidden_character', form, ['judul=%00&isi=b']),
  ...each(200, form, ['judul=a+b&isi=%2B', 'judul=a;isi=b&isi=c', '%6audul=a&is%69=b']),
  ...each('field_blank', form, ['judul=+&isi=b', 'judul&isi=b']),
  ...each('user_id_not_integer', form, ['judul=a&isi=b&user_id=+0']),
  ...each('field_missing', form, ['judul=a;isi=b']),
]);
const alsoInForm = (fields: string) => form(`judul=a&isi=b&${fields}`);
row('B20', 'forms: a repeated field is 400, an array is another name', [
  ...each('field_repeated', alsoInForm, ['judul=a', 'user_id=0&user_id=0', 'user_id=0&user%5Fid=1']),
  ...each('field_repeated', alsoInForm, ['jenis=gaji&jenis=bonus', 'url=%2F&url=%2F']),
  ...each(200, alsoInForm, ['user_id=0&x=1&x=2', `user_id=0&${'x=1&'.repeat(10_000)}`, 'jenis=']),
  ...each('recipient_unclear', alsoInForm, ['x=1&x=2', 'user_id[]=-1', 'user_id%5B0%5D=-1', 'amp;user_id=-1', ' a']),
  ...each('field_missing', form, ['judul[]=a&isi=b', '']),
  ...each('user_id_empty', alsoInForm, ['user_id=']),
  ...each('url_not_internal', alsoInForm, ['url=']),
]);
const disposition = 'Content-Disposition: form-data; name="user_id"';
const withHead = (line: string, value = '0') => multipart(`${fine}--b\r\n${line}\r\n\r\n${value}\r\n${end}`);
const bounded = (size: number) =>
  multipart((fine + end).replaceAll('--b', `--${'b'.repeat(size)}`), `; boundary=${'b'.repeat(size)}`);
row('B21', 'a multipart form that is malformed is 400: no part is skipped, but text before and after it', [
  ['no boundary', multipart(fine + end, ''), 400, 'form_malformed'],
  ['an empty boundary', multipart(fine + end, '; boundary='), 400, 'form_malformed'],
  ['another boundary', multipart(fine + end, '; boundary=c'), 400, 'form_malformed'],
  ['a boundary of 70', bounded(70), 200],
  ['a boundary of 71', bounded(71), 400, 'form_malformed'],
  ...each('form_malformed', multipart, {
    truncated: fine,
    'truncated in the end': `${fine}--b-`,
    'no part': end,
    empty: '',
    'LF only': (fine + end).replaceAll('\r\n', '\n'),
    'LF in one head': `${fine}--b\n${disposition}\n\n0\n${end}`,
    'a part before the first boundary': `${disposition}\r\n\r\n-1\r\n${fine}${end}`,
    'a part behind another boundary': `--c\r\n${disposition}\r\n\r\n5\r\n${fine}${end}`,
    'a boundary behind LF': `\n--b\r\n${disposition}\r\n\r\n5\r\n${fine}${end}`,
    'a part behind the end': `${fine}${end}${part('user_id', '-1')}${end}`,
    'a part without a boundary behind the end': `${fine}${end}${disposition}\r\n\r\n5\r\n`,
    'a letter right behind the end': `${fine}--b--x`,
    'a letter right before the first boundary': `x${fine}${end}`,
    'no blank line': `${fine}--b\r\n${disposition}\r\n0\r\n${end}`,
  }),
  ...each(200, multipart, {
    'as it should be': fine + end,
    'a preamble': `x\r\n${fine}${end}`,
    'a preamble that looks like JSON': `{a}\r\n${fine}${end}`,
    'an empty line before it': `\r\n${fine}${end}`,
    'an epilogue': `${fine}${end}x`,
    'a line break behind it': `${fine}${end}\r\n`,
    'blanks behind it': `${fine}--b--  \r\n`,
    'preamble and epilogue': `This is a form.\r\n${fine}${end}and its end`,
    '500 parts': fine + part('user_id', '0') + part('x', 'y').repeat(500) + end,
    'the boundary inside a text': part('judul', 'a--b') + part('isi', '\r\n--c') + end,
  }),
  ...each('form_malformed', withHead, [
    ...['Content-Disposition: form-data', 'Content-Disposition: form-data; name=""', `${disposition}; name="x"`],
    ...["Content-Disposition: form-data; name*=utf-8''user_id", 'Content-Disposition: attachment; name="user_id"'],
    ...['Content-Type: text/plain', 'Content-Disposition: form-data name="user_id"', `${disposition}\rX: y`],
    ...['Content-Disposition : form-data; name="x"', `${disposition}\r\n${disposition}`],
    ...['Content-Disposition: form-data;\r\n name="user_id"', `${disposition}\r\nContent-Transfer-Encoding: base64`],
  ]),
  ...each('user_id_not_integer', (head) => withHead(head, '--c\r\n\r\n0\r\n--c--'), [
    `${disposition}\r\nContent-Type: multipart/mixed; boundary=c`,
  ]),
  ...each('recipient_unclear', (head) => withHead(head, '-1'), ["Content-Disposition: form-data; name='user_id'"]),
]);
const also = (parts: string) => multipart(fine + parts + end);
row('B22', 'a file, another charset and a repeated field are 400 in a multipart form', [
  ...each('file_not_accepted', withHead, [`${disposition}; filename="x"`, `${disposition}; filename=""`]),
  ...each('file_not_accepted', withHead, [`${disposition}; filename*=utf-8''x`]),
  ...each('file_not_accepted', withHead, ['Content-Disposition: form-data; name="x"; filename="x"']),
  ...each('charset_unsupported', withHead, [`${disposition}\r\nContent-Type: text/plain; charset=latin1`]),
  ...each(200, withHead, [`${disposition}\r\nContent-Type: text/plain; charset=UTF-8`]),
  ...each(200, also, [part('user_id', '0') + part('_charset_', 'iso-8859-1') + part('__proto__', 'x')]),
  ...each('field_repeated', also, [part('judul', 'c'), part('user_id', '0') + part('user_id', '0')]),
  ...each('user_id_empty', also, [part('user_id', '')]),
]);

/** The same fields in each of the three encodings. */
function inEach(what: string, fields: Record<string, string>, status: number, code?: string): Case[] {
  const all = { judul: 'a', isi: 'b', ...fields };
  const pairs = Object.entries(all).map((pair) => pair.map(encodeURIComponent).join('='));
  const parts = Object.entries(all).map(([name, value]) => part(utf8(name), utf8(value)));
  return [
    [`JSON, ${what}`, asJson(JSON.stringify(all)), status, code],
    [`form, ${what}`, form(pairs.join('&')), status, code],
    [`multipart, ${what}`, multipart(`${parts.join('')}${end}`), status, code],
  ];
}

/** JSON whose one field is written as given. */
function written(name: string, value: string, status: number, code?: string): Case {
  const text = JSON.stringify({ judul: 'a', isi: 'b', [name]: '?' }).replace('"?"', () => value);
  return [`${name}: ${value.slice(0, 40)}`, asJson(text), status, code];
}

const blanks = '| |\t|\r\n|\u00a0|\u200b|\u3000|\u2028|\u00ad|\u2800|\u3164|\ufeff|\u200d\u2060|\u{e0020}'.split('|');
row('F1', 'a text that is missing, empty or invisible is 400', [
  ...texts.flatMap((name) =>
    blanks.flatMap((blank) => inEach(`${name} ${JSON.stringify(blank)}`, { [name]: blank }, 400, 'field_blank')),
  ),
  ...each('field_missing', asJson, ['{"isi":"b"}', '{"judul":"a"}', '{}']),
  ...each('field_blank', asJson, { 'before other wrong fields': '{"judul":"","isi":5,"user_id":1.5,"url":"//x"}' }),
  ...each('field_missing', form, ['isi=b']),
  ...each('field_missing', multipart, [part('x', 'y') + end]),
  ...each('field_missing', (name) => asJson(JSON.stringify({ [name]: 'a', isi: 'b' })), [
    ...['Judul', 'JUDUL', 'judul ', ' judul', 'title', 'judul[]', 'judul\u200b'],
  ]),
]);

const family = '👨‍👩‍👧‍👦';
const letters = ['a', 'é', 'e\u0301', '😀', family, 'م', '\r\n', '日', '\u{10ffff}', '\ud7ff'];
// A text of line breaks alone would be blank.
const fill = (unit: string, length: number) => {
  const size = [...unit].length;
  return `x${unit.repeat(Math.floor((length - 1) / size))}${'x'.repeat((length - 1) % size)}`;
};
const limits = { judul: draftLimits.title, isi: draftLimits.body };
row('F2', 'judul and isi have a limit in code points; one more is 400', [
  ...Object.entries(limits).flatMap(([name, limit]) =>
    letters.flatMap((unit) => [
      ...inEach(`${name} ${limit} of ${unit}`, { [name]: fill(unit, limit) }, 200),
      ...inEach(`${name} ${limit + 1} of ${unit}`, { [name]: fill(unit, limit + 1) }, 400, 'field_too_long'),
    ]),
  ),
  ...texts.flatMap((name) => inEach(`${name} of 10,000`, { [name]: 'y'.repeat(10_000) }, 400, 'field_too_long')),
]);

const noTexts = words('{"toString":0,"length":1} 5 0 -1 1.5 true false null [] ["a"] {} {"a":"b"}');
row('F3', 'a text or url of another type is 400; a url of null is none', [
  ...texts.flatMap((name) => noTexts.map((value) => written(name, value, 400, 'field_not_text'))),
  ...noTexts.filter((value) => value !== 'null').map((value) => written('url', value, 400, 'field_not_text')),
  written('url', 'null', 200),
]);

row('U0', 'user_id missing or 0 means everyone', [
  ...inEach('missing', {}, 200),
  ...inEach('0', { user_id: '0' }, 200),
  ...words('0 -0 0.0 0e0 -0.0 0.000 0e5 0E-5').map((value) => written('user_id', value, 200)),
]);
row('U1', 'user_id of an own employee, in every way to write an integer', [
  ...inEach('as it is', { user_id: String(employeeId) }, 200),
  ...words('# #.0 #e0 #.000E+0 #0e-1 "#"').map((form) => written('user_id', form.replace('#', `${employeeId}`), 200)),
]);
const foreignIds = words(`
  -1 2147483647 2147483648 4294967296 9223372036854775807 9223372036854775808 9007199254740993 -2147483649`);
row('U2', 'an unknown id is 404, in and out of the range of the database', [
  ...inEach('behind a wrong field', { judul: '', user_id: '2000000000' }, 400, 'field_blank'),
  ...[...foreignIds, '9'.repeat(300)].flatMap((id) =>
    inEach(id.slice(0, 30), { user_id: id }, 404, 'employee_not_in_company'),
  ),
  ...words('1e15 -5 1e300 9007199254740992 123456789012345678901234567890 2147483648.0').map((value) =>
    written('user_id', value, 404, 'employee_not_in_company'),
  ),
]);

const noIds = [
  ...'abc|05|00|+5|-0|--5|5.0|5,0|1e1|0x5|0b1|5n|５|٣| 5|5 |\t5|5\n|5;|5 6|NaN|Infinity|null'.split('|'),
  ...'undefined|false|-|.|1_000|𝟓|0.0|0 | 0|+0|0x0|００'.split('|'),
];
row('U3', 'every other JSON value of user_id is 400', [
  ...words(`
  1.5 0.5 -0.5 1e400 -1e400 1e-400 0.0000001 -1e-330 5.00000000000000000001 true false [] [0] ["0"] {}
  {"id":0} {"toString":0} {"toString":null,"valueOf":null} [{"toString":1}]
  {"toJSON":0,"length":0,"then":1}
`).map((value) => written('user_id', value, 400, 'user_id_not_integer')),
  written('user_id', 'null', 400, 'user_id_empty'),
  written('user_id', '""', 400, 'user_id_empty'),
  ...noIds.map((text) => written('user_id', JSON.stringify(text), 400, 'user_id_not_integer')),
]);
row('U4', 'in a form user_id is plain decimal, and an empty one is 400', [
  ...noIds.flatMap((text) => inEach(JSON.stringify(text), { user_id: text }, 400, 'user_id_not_integer').slice(1)),
  ...inEach('empty', { user_id: '' }, 400, 'user_id_empty'),
]);

const strange = [
  ...'company_id|tenant|id|no|reach|terkirim|created_at|read_at|key_id|must_confirm|__proto__'.split('|'),
  ...'constructor|prototype|toString|hasOwnProperty|a.b|x[y]|é|$where|user_id[]|user.id|user|id|to|target'.split('|'),
  ...['usér_id', 'user_id2', '用户_id'],
];
row('E1', 'unknown fields are ignored beside a user_id', [
  ...strange.flatMap((name) => inEach(name, { user_id: '0', [name]: '999999' }, 200)),
  ...strange.flatMap((name) => each(200, toAll, [`${JSON.stringify(name)}:{"$gt":[null,{"user_id":1}]}`])),
  ...each(200, toAll, ['"x":"\\u0000\\ud800"', '"\\ud800":1']),
]);

// What programs and people make of the recipient's name.
const unclear = [
  ...words('userId User_Id USER_ID user-id userid user_ids uesr_id uid id_user id_pegawai karyawan_id penerima_id'),
  ...words('recipients employee PENERIMA user_id[] user_id[0] user[id] data[user_id] {{user_id}} amp;user_id user_id:'),
  ...'user id| user_id|user_id |user_id\u200b|\ufeffuser_id|ｕｓｅｒ＿ｉｄ|us\u0435r_id|userıd'.split('|'),
];
const isUnclear = [400, 'recipient_unclear'] as const;
const tooLong = 'a'.repeat(limits.judul + 1);
row('E2', 'without a user_id, an unknown field or query parameter is 400', [
  ...[...unclear, ...strange].flatMap((name) => inEach(name, { [name]: String(employeeId) }, ...isUnclear)),
  written('userid\0', '5', ...isUnclear),
  ...['0', '""', '" 5"', 'null', '[]', '{}'].map((value) => written('userId', value, ...isUnclear)),
  ...inEach('behind a text that is too long', { judul: tooLong, userId: '1' }, 400, 'field_too_long'),
  ...inEach('before a url that is refused', { url: '//a', userId: '1' }, ...isUnclear),
  ...inEach('beside user_id', { user_id: String(employeeId), userId: 'x', USER_ID: '0' }, 200),
  ...inEach('beside a wrong user_id', { user_id: '', userId: '1' }, 400, 'user_id_empty'),
  ...['user_id=7', 'userId=1', 'x', '=7', 'AKSI=x', 'aksi=x&to=7'].map(
    (query): Case => [`?${query}`, post(good).replace(path, `${path}?${query}`), ...isUnclear],
  ),
  ['?aksi=x is no recipient', post(good).replace(path, `${path}?aksi=x`), 200],
  ['a query beside a user_id', toAll('"x":1').replace(path, `${path}?user_id=7`), 200],
  ['in a query of GET', get([withKey], `${ping}&userId=1`), 200],
  ...each(200, form, { 'as a pair inside another field': 'judul=userId%3D1&isi=userId' }),
  ...each('recipient_unclear', having, { 'deeper in an object': '"x":{"userId":1}' }),
  ...each('recipient_unclear', having, { '60 KiB of underscores': `"user${'_'.repeat(60_000)}id":1` }),
]);

row('L1', 'a missing url is accepted', inEach('missing', {}, 200));
row('L2', 'a path that stays on the portal is accepted', [...innerPaths.flatMap((url) => inEach(url, { url }, 200))]);
const refusing = (urls: string) =>
  urls.split('|').flatMap((url) => inEach(JSON.stringify(url), { url }, 400, 'url_not_internal'));
row('L3', 'a url that does not begin with / is 400', [
  ...refusing('|a|./a|../a| /a|\t/a|\n/a|\u00a0/a|\ufeff/a|\u200b/a|?x|#x|%2fa|／a|∕a|.|evil.test|@evil.test'),
]);
row('L4', 'an address with a scheme is 400', [
  ...refusing('http://evil.test|https:evil.test|HTTP:/evil|javascript:alert(1)|jAvA\nscript:alert(1)|tel:1|ws://x'),
  ...refusing('\u0001javascript:alert(1)|data:text/html,x|mailto:a@b|vbscript:x|file:///etc/passwd|blob:x'),
  ...refusing('view-source:x|about:blank'),
]);
const slashes = '//evil.test|///evil.test|////evil|//|//evil.test/a|//a@evil|///';
row('L5', 'two slashes at the beginning are 400', refusing(slashes));
const backslashes = '/\\evil.test|/\\\\evil|\\/evil|/a\\b|/a?\\|/a#\\|\\\\evil|/\\|/\\/evil';
row('L6', 'a backslash anywhere is 400', refusing(backslashes));
row('L7', 'a control character anywhere is 400', [
  ...refusing('/\t/evil.test|/\n/evil|/\r/evil|/\r\n/evil|/a\u0001|/a\u001f|/a\u007f|/a\u0080|/a\u0085b'),
  ...refusing('/a\u009f|/a?\t|/a#\n|/.\t/\t/evil|/a\t|/\u001b'),
]);
row('L8', 'a path that is // after normalisation is 400', [
  ...refusing('/.//evil.test|/..//evil|/a/..//evil|/%2e//evil|/%2E%2e//evil|/././/evil|/a/b/../..//evil'),
  ...refusing('/.%2e//evil|/a/%2e%2e//evil|/../..//evil'),
]);
row('L9', 'a url has up to 2,048 code points', [
  ...inEach('2,048', { url: `/${'a'.repeat(2047)}` }, 200),
  ...inEach('2,048 emoji', { url: `/${'😀'.repeat(2047)}` }, 200),
  ...inEach('2,049', { url: `/${'a'.repeat(2048)}` }, 400, 'field_too_long'),
  ...inEach('60 KiB', { url: `/${'a'.repeat(60_000)}` }, 400, 'field_too_long'),
]);
row('L10', 'NUL, U+0008, U+000C and lone surrogates in a text or url are 400', [
  ...[...texts, 'url'].flatMap((name) =>
    ['\u0000', '\u0008', '\u000c'].flatMap((mark) =>
      inEach(`${name} ${JSON.stringify(mark)}`, { [name]: `/a${mark}b` }, 400, 'field_forbidden_character'),
    ),
  ),
  ...['\\ud800', 'a\\udc00', '\\udc00\\ud800', '\\ud83d x', '\\u0000'].flatMap(inTexts),
]);

const controls = [
  ...'\u0001|\u0007|\u000b|\u001b[31m|\u007f|\u0080|\u0085|\u009f|\u2028|\u2029|\u202e|\u2066'.split('|'),
  ...'\u200f|\u061c|\ufff9|\ufffe|\uffff|\u{e0041}|\u{1f3f4}\u{e0067}|\ufeff|\u200b|\ufdd0'.split('|'),
  '\u0300'.repeat(50),
].map((mark) => `x${mark}y`);
const fits = (text: string, limit: number) => findTextProblem(text, limit) === null;

test('control characters and naughty texts are stored byte for byte in each field (F4, F5)', async ({ company }) => {
  expect(naughtyTexts.length).toBeGreaterThan(500);
  const wanted: string[] = [];
  let key = '';
  for (const [at, text] of [...controls, ...naughtyTexts].entries()) {
    if (at % 25 === 0) key = await company.newKey();
    const url = [`/${text}`, text].find(isInternalPath);
    const judul = fits(text, draftLimits.title) ? text : 'x';
    const isi = fits(text, draftLimits.body) ? text : 'x';
    const fields = { judul, isi, jenis: text, ...(url === undefined ? {} : { url }) };
    const [inJson, ...inForms] = inEach(text, fields, 200);
    for (const sent of [inJson, inForms[at % 2]]) {
      const [, bytes = ''] = sent ?? [];
      expect((await askHere(String(bytes).replace(withKey, `X-API-Key: ${key}`))).status, text).toBe(200);
      wanted.push(JSON.stringify([judul, isi, url ?? null]));
    }
  }
  const stored = await sql()<{ title: string; body: string; url: string | null; kind: string }[]>`
    select title, body, url, kind from notifications where company_id = ${company.owner.companyId}`;
  expect(stored.map(({ title, body, url }) => JSON.stringify([title, body, url])).sort()).toEqual(wanted.sort());
  expect(new Set(stored.map(({ kind }) => kind))).toEqual(new Set(['info']));
});
