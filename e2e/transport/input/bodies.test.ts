import { words } from '#e2e/support/data/random.ts';
import {
  type Case,
  form,
  KEY,
  makeMatrix,
  multipart,
  part,
  path,
  post,
  request,
  utf8,
} from '#e2e/transport/input/matrix.ts';

const { row } = await makeMatrix();
const good = '{"judul":"Judul","isi":"Isi"}';
const fine = part('judul', 'a') + part('isi', 'b');
const inHeader = `X-API-Key: ${KEY}`;
const json = 'Content-Type: application/json';
const urlEncoded = 'Content-Type: application/x-www-form-urlencoded';
const sent = (body: string, headers: string[]) => request(`POST ${path}`, [inHeader, json, ...headers]) + body;
const chunked = (body: string) => sent(body, ['Transfer-Encoding: chunked']);
const inChunks = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

const malformed = [
  ...'{"judul":"a","isi":"b"|{"judul":"a","isi":"b",}|{\'judul\':\'a\',\'isi\':\'b\'}'.split('|'),
  ...'{"judul":"a","isi":"b","user_id":NaN}|{"judul":"a\tb","isi":"b"}|{"judul":"a","isi":"b"}{}'.split('|'),
  ...'{"judul":"a","isi":"b"}\u0000|<xml/>'.split('|'),
];
row('B1', 'malformed JSON, an empty and a blank body are 400', [
  ...malformed.map((body): Case => [JSON.stringify(body), post(body), 400, 'json_malformed']),
  ...['', ' ', '\r\n\t ', '\n'].map((body): Case => [JSON.stringify(body), post(body), 400, 'body_empty']),
  ['no-break space around it', post(utf8(`\u00a0${good}`)), 400, 'json_malformed'],
  ['blanks around it', post(`\r\n\t ${good} \n`), 200],
]);
row(
  'B2',
  'JSON that is not an object is 400',
  ['null', '[]', '[{"judul":"a","isi":"b"}]', '"x"', '5', '0', '-1e5', 'true', 'false', '""', '[null]'].map(
    (body): Case => [body, post(body), 400, 'json_not_object'],
  ),
);
row('B3', 'of a repeated name in a JSON object the last one counts', [
  ['judul', post('{"judul":5,"judul":"a","isi":"b"}'), 200],
  ['judul, wrong at the end', post('{"judul":"a","isi":"b","judul":5}'), 400, 'field_not_text'],
  ['user_id', post('{"judul":"a","isi":"b","user_id":1.5,"user_id":0}'), 200],
  ['user_id, wrong at the end', post('{"judul":"a","isi":"b","user_id":0,"user_id":null}'), 400, 'user_id_empty'],
  [
    'user_id, underflow at the end',
    post('{"judul":"a","isi":"b","user_id":0,"user_id":1e-400}'),
    400,
    'user_id_not_integer',
  ],
  ['user_id, underflow before it', post('{"judul":"a","isi":"b","user_id":1e-400,"user_id":0}'), 200],
  [
    'a name written with an escape',
    post('{"judul":"a","isi":"b","user_id":0,"user\\u005fid":-1}'),
    404,
    'employee_not_in_company',
  ],
]);
row('B4', 'names of Object.prototype are unknown names', [
  ...words(`
  __proto__ constructor prototype toString valueOf hasOwnProperty __defineGetter__ then toJSON length
`).flatMap((name): Case[] => [
    [name, post(`{"judul":"a","isi":"b","${name}":{"user_id":-1,"polluted":1}}`), 200],
    [`${name} as text`, post(`{"judul":"a","isi":"b","${name}":"x"}`), 200],
  ]),
  ['__proto__ holds the fields', post('{"__proto__":{"judul":"a","isi":"b"}}'), 400, 'field_missing'],
  ['constructor.prototype', post('{"constructor":{"prototype":{"judul":"a"}},"isi":"b"}'), 400, 'field_missing'],
  ['__proto__ in a form', form('__proto__=x&__proto__[judul]=a&judul=a&isi=b&constructor.prototype.x=1'), 200],
]);
const each = (value: string, code: string): Case[] =>
  ['judul', 'isi', 'url'].map((name): Case => {
    const fields = { judul: '"a"', isi: '"b"', [name]: `"/${value}"` };
    const members = Object.entries(fields).map(([field, text]) => `"${field}":${text}`);
    return [`${name} ${value}`, post(`{${members}}`), 400, code];
  });
row('B5', 'NUL, U+0008 and U+000C in a text are 400', [
  ...each('D:\\backup', 'field_forbidden_character'),
  ...each('foto\\f', 'field_forbidden_character'),
  ...each('\\u0000', 'field_forbidden_character'),
  ...each('a\\u0000b', 'field_forbidden_character'),
  ['in a form', form('judul=a%00&isi=b'), 400, 'field_forbidden_character'],
  ['in an unknown field', post('{"judul":"a","isi":"b","x":"\\u0000","\\u0000":1}'), 200],
]);
row('B6', 'a lone surrogate in a text is 400', [
  ...['\\ud800', 'a\\udfff', '\\udc00\\ud800', '\\ud800\\ud800\\udc00', '\\uD83Dx'].flatMap((half) =>
    each(half, 'field_forbidden_character'),
  ),
  ['a pair is a character', post('{"judul":"\\ud83d\\ude00","isi":"b"}'), 200],
  ['in an unknown field', post('{"judul":"a","isi":"b","\\ud800":"\\udc00"}'), 200],
]);
const notUtf8 = [
  ...'ÿ|À¯|í\u00a0\u0080|í\u00a0½í¸\u0080|é|\u0080|ô¿¿¿|ø\u0088\u0080\u0080\u0080|æ\u0097|Á¿'.split('|'),
  ...'à\u0080¯|ð\u0080\u0080¯|þ'.split('|'),
];
row('B7', 'invalid UTF-8 is 400 in every media type', [
  ...notUtf8.flatMap((broken): Case[] => [
    [`JSON ${JSON.stringify(broken)}`, post(`{"judul":"${broken}","isi":"b"}`), 400, 'body_not_utf8'],
    [`form ${JSON.stringify(broken)}`, form(`judul=${broken}&isi=b`), 400, 'body_not_utf8'],
    [`escaped ${JSON.stringify(broken)}`, form(`judul=${percent(broken)}&isi=b`), 400, 'form_malformed'],
    [
      `multipart ${JSON.stringify(broken)}`,
      multipart(`${part('judul', broken)}${part('isi', 'b')}--b--\r\n`),
      400,
      'body_not_utf8',
    ],
  ]),
  ['UTF-16LE', post(Buffer.from(`\ufeff${good}`, 'utf16le').toString('latin1')), 400, 'body_utf16'],
  ['UTF-16BE', post(Buffer.from(`\ufeff${good}`, 'utf16le').swap16().toString('latin1')), 400, 'body_utf16'],
  ['UTF-16 without its mark', post(Buffer.from(good, 'utf16le').toString('latin1')), 400, 'body_utf16'],
  ['UTF-32', post([...good].map((letter) => `${letter}\0\0\0`).join('')), 400, 'json_malformed'],
  ['UTF-7', post('{"judul":"+AGE-","isi":"b"}'), 200],
]);
function percent(bytes: string): string {
  return [...Buffer.from(bytes, 'latin1')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
row('B8', 'one byte order mark before the JSON is skipped', [
  ['one', post(utf8(`\ufeff${good}`)), 200],
  ['two', post(utf8(`\ufeff\ufeff${good}`)), 400, 'json_malformed'],
  ['alone', post(utf8('\ufeff')), 400, 'body_empty'],
]);
const deep = (open: string, close: string, levels: number) =>
  `{"judul":"a","isi":"b","x":${open.repeat(levels)}1${close.repeat(levels)}}`;
row('B9', 'deep, wide and long bodies of up to 64 KiB are read or refused', [
  ['30,000 arrays', post(deep('[', ']', 30_000)), 200],
  ['30,000 arrays that do not end', post('['.repeat(60_000)), 400, 'json_malformed'],
  ['10,000 objects', post(deep('{"a":', '}', 10_000)), 200],
  [
    'a user_id behind others that are not its own',
    post(`{"judul":"a","isi":"\\"user_id\\":9","x":{"user_id":1.5,"y":[{"user_id":2.5}]},"user\\u005fid":0.0}`),
    200,
  ],
  ['10,000 objects beside a user_id', post(deep('{"a":', '}', 10_000).replace('{', '{"user_id":0,')), 200],
  ['8,000 times one name', post(`{"judul":"a","isi":"b",${'"x":1,'.repeat(8000)}"x":1}`), 200],
  ['8,000 times user_id', post(`{"judul":"a","isi":"b",${'"user_id":1,'.repeat(4000)}"user_id":0}`), 200],
  ['60 KiB of one text', post(`{"judul":"a","isi":"b","x":"${'x'.repeat(60_000)}"}`), 200],
  ['60 KiB of digits', post(`{"judul":"a","isi":"b","user_id":${'9'.repeat(60_000)}}`), 400, 'user_id_not_integer'],
  ['60 KiB of zeros behind the point', post(`{"judul":"a","isi":"b","user_id":0.${'0'.repeat(60_000)}}`), 200],
  ['60 KiB of backslashes', post(`{"judul":"a","isi":"b","x":"${'\\\\'.repeat(30_000)}"}`), 200],
]);
row('B10', 'a body of more than 64 KiB is 400, with and without an announced length', [
  ['64 KiB', post(`{"judul":"a","isi":"b","x":"${'x'.repeat(65_536 - 30)}"}`), 200],
  ['64 KiB and one byte', post(`{"judul":"a","isi":"b","x":"${'x'.repeat(65_537 - 30)}"}`), 400, 'body_too_large'],
  ['1 GB announced', sent('{"judul":', ['Content-Length: 1000000000']), 400, 'body_too_large'],
  ['the largest length there is', sent('{', [`Content-Length: ${Number.MAX_SAFE_INTEGER}`]), 400, 'body_too_large'],
  ['a form', form(`judul=a&isi=b&x=${'x'.repeat(70_000)}`), 400, 'body_too_large'],
  ['a multipart form', multipart(`${fine}${part('x', 'x'.repeat(70_000))}--b--\r\n`), 400, 'body_too_large'],
  ['in chunks', chunked(inChunks('x'.repeat(70_000))), 400, 'body_too_large'],
]);
row('B12', 'a chunked body is read, with extensions and trailers', [
  ['chunks', chunked(inChunks(good)), 200],
  ['one byte each', chunked(`${[...good].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`), 200],
  ['extensions', chunked(`${good.length.toString(16)};a=b;c="d"\r\n${good}\r\n0;x\r\n\r\n`), 200],
  ['trailers', chunked(`${good.length.toString(16)}\r\n${good}\r\n0\r\nX-API-Key: jss_x\r\nX: y\r\n\r\n`), 200],
  ['nothing', chunked('0\r\n\r\n'), 400, 'body_empty'],
  ['CHUNKED', sent(inChunks(good), ['Transfer-Encoding: CHUNKED']), 200],
]);
const framing = (what: string, headers: string[], body: string): Case => [
  what,
  sent(body, headers),
  400,
  'request_malformed',
];
row('B13', 'a body with an ambiguous length is 400, and the connection closes', [
  framing('a negative length', ['Content-Length: -1'], ''),
  framing('a length that is no number', ['Content-Length: x'], ''),
  framing('a length in hexadecimal', ['Content-Length: 0x10'], good),
  framing('two lengths', [`Content-Length: ${good.length}`, 'Content-Length: 1'], good),
  framing('a list of lengths', [`Content-Length: ${good.length}, ${good.length}`], good),
  framing('a length and chunks', ['Content-Length: 3', 'Transfer-Encoding: chunked'], inChunks(good)),
  framing('compressed', ['Transfer-Encoding: gzip'], good),
  framing('chunked twice', ['Transfer-Encoding: chunked, chunked'], inChunks(good)),
  framing('xchunked', ['Transfer-Encoding: xchunked'], inChunks(good)),
  ['a size that is no number', chunked('xyz\r\n'), 400, 'body_incomplete'],
  ['a chunk longer than its size', chunked(`3\r\n${good}\r\n0\r\n\r\n`), 400, 'body_incomplete'],
]);
row('B15', 'a missing, unknown or repeated Content-Type is 400', [
  ['none', post(good, []), 400, 'content_type_missing'],
  ['empty', post(good, ['Content-Type:']), 400, 'content_type_missing'],
  ...[
    ...words('text/plain application/xml text/json application/x-json application/jsonp application/ld+json json */*'),
    ...words('application/problem+json application/json+x application/* text/html __proto__ constructor ; /'),
    ...'application/json, text/plain|application/json,application/json|multipart/mixed; boundary=b'.split('|'),
    'multipart/related; boundary=b',
    'x'.repeat(5000),
    'application/json\xe9',
  ].map((type): Case => [type.slice(0, 40), post(good, [`Content-Type: ${type}`]), 400, 'content_type_unsupported']),
  ['twice', post(good, [json, 'Content-Type: text/plain']), 400, 'content_type_unsupported'],
  ['twice the same', post(good, [json, json]), 400, 'content_type_unsupported'],
  ['a blank inside', post(good, ['Content-Type: application / json']), 400, 'content_type_unsupported'],
]);
row('B16', 'media types are read in any case, with the charset UTF-8 only', [
  ...[
    ...'Application/JSON; charset=UTF-8|application/json;charset=utf8|APPLICATION/JSON'.split('|'),
    ...'application/json; charset="utf-8"|application/json ; charset=utf-8|application/json;'.split('|'),
    ...'application/json; version=1|application/json; boundary=b'.split('|'),
  ].map((type): Case => [type, post(good, [`Content-Type: ${type}`]), 200]),
  ...['iso-8859-1', 'latin1', 'utf-16', 'utf-7', 'us-ascii', '""', 'x', 'utf-8x'].map(
    (charset): Case => [
      charset,
      post(good, [`Content-Type: application/json; charset=${charset}`]),
      400,
      'charset_unsupported',
    ],
  ),
  ['a form', post('judul=a&isi=b', [`${urlEncoded.replace('application', 'APPLICATION')}; charset=UTF-8`]), 200],
  ['a form in latin-1', post('judul=a&isi=b', [`${urlEncoded}; charset=latin1`]), 400, 'charset_unsupported'],
]);
row('B17', 'a compressed body is 400', [
  ...['gzip', 'br', 'deflate', 'zstd', 'x', 'gzip, identity', 'GZIP', 'aes128gcm'].map(
    (encoding): Case => [
      encoding,
      post(good, [json, `Content-Encoding: ${encoding}`]),
      400,
      'content_encoding_unsupported',
    ],
  ),
  ...['identity', 'Identity', ''].map(
    (encoding): Case => [`"${encoding}"`, post(good, [json, `Content-Encoding: ${encoding}`]), 200],
  ),
]);
row('B18', 'a body with the wrong Content-Type is 400, with a code of its own', [
  ['JSON as a form', form(good), 400, 'json_labelled_as_form'],
  ['JSON as a form, blanks before it', form(`\r\n ${good}`), 400, 'json_labelled_as_form'],
  ['a list as a form', form('[]'), 400, 'json_labelled_as_form'],
  ['JSON as a multipart form', multipart(good), 400, 'json_labelled_as_form'],
  ['a form as JSON', post('judul=a&isi=b'), 400, 'form_labelled_as_json'],
  ['a multipart form as JSON', post(`${fine}--b--\r\n`), 400, 'json_malformed'],
  ['a multipart form as a form', form(`${fine}--b--\r\n`), 400, 'field_missing'],
  ['a form as a multipart form', multipart('judul=a&isi=b'), 400, 'form_malformed'],
]);
row('B19', 'URL-encoded forms: broken escapes are 400, + is a space, ; is text', [
  ...['%', '%z', '%zz', 'a%', '%1', '%u0041', '%G0', '100%'].map(
    (value): Case => [value, form(`judul=${value}&isi=b`), 400, 'form_malformed'],
  ),
  ...['%ff', '%c0%af', '%ed%a0%80', '%e6%97', '%80'].map(
    (value): Case => [value, form(`judul=${value}&isi=b`), 400, 'form_malformed'],
  ),
  ['a broken escape in a name', form('judul=a&isi=b&%zz=1'), 400, 'form_malformed'],
  ['a broken escape in an unknown field', form('judul=a&isi=b&x=%zz'), 400, 'form_malformed'],
  ['%00', form('judul=%00&isi=b'), 400, 'field_forbidden_character'],
  ['+', form('judul=a+b&isi=%2B'), 200],
  ['+ alone is blank', form('judul=+&isi=b'), 400, 'field_blank'],
  ['+ in user_id', form('judul=a&isi=b&user_id=+0'), 400, 'user_id_not_integer'],
  [';', form('judul=a;isi=b&isi=c'), 200],
  ['; does not part fields', form('judul=a;isi=b'), 400, 'field_missing'],
  ['escaped names', form('%6audul=a&is%69=b'), 200],
  ['no value', form('judul&isi=b'), 400, 'field_blank'],
]);
row('B20', 'forms: a repeated field is 400, an array is another name', [
  ['judul twice', form('judul=a&isi=b&judul=a'), 400, 'field_repeated'],
  ['user_id twice', form('judul=a&isi=b&user_id=0&user_id=0'), 400, 'field_repeated'],
  ['user_id twice, once escaped', form('judul=a&isi=b&user_id=0&user%5Fid=1'), 400, 'field_repeated'],
  ['jenis twice', form('judul=a&isi=b&jenis=gaji&jenis=bonus'), 400, 'field_repeated'],
  ['url twice', form('judul=a&isi=b&url=%2F&url=%2F'), 400, 'field_repeated'],
  ['an unknown field twice', form('judul=a&isi=b&x=1&x=2'), 200],
  ['judul[]', form('judul[]=a&isi=b'), 400, 'field_missing'],
  ['user_id[] is another name', form('judul=a&isi=b&user_id[]=-1'), 200],
  ['10,000 fields', form(`judul=a&isi=b${'&x=1'.repeat(10_000)}`), 200],
  ['an empty user_id', form('judul=a&isi=b&user_id='), 400, 'user_id_empty'],
  ['an empty url', form('judul=a&isi=b&url='), 400, 'url_not_internal'],
  ['an empty jenis', form('judul=a&isi=b&jenis='), 200],
  ['an empty form', form(''), 400, 'field_missing'],
]);
const end = '--b--\r\n';
const head = (line: string, value = '0') => `${fine}--b\r\n${line}\r\n\r\n${value}\r\n${end}`;
const disposition = 'Content-Disposition: form-data; name="user_id"';
row('B21', 'a multipart form that is malformed is 400: no part is skipped, but text before and after it', [
  ['as it should be', multipart(fine + end), 200],
  ['no boundary', multipart(fine + end, ''), 400, 'form_malformed'],
  ['an empty boundary', multipart(fine + end, '; boundary='), 400, 'form_malformed'],
  [
    'a boundary of 70',
    multipart((fine + end).replaceAll('--b', `--${'b'.repeat(70)}`), `; boundary=${'b'.repeat(70)}`),
    200,
  ],
  [
    'a boundary of 71',
    multipart((fine + end).replaceAll('--b', `--${'b'.repeat(71)}`), `; boundary=${'b'.repeat(71)}`),
    400,
    'form_malformed',
  ],
  ['another boundary', multipart(fine + end, '; boundary=c'), 400, 'form_malformed'],
  ['truncated', multipart(fine), 400, 'form_malformed'],
  ['truncated in the end', multipart(`${fine}--b-`), 400, 'form_malformed'],
  ['no part', multipart(end), 400, 'form_malformed'],
  ['empty', multipart(''), 400, 'form_malformed'],
  ['LF only', multipart((fine + end).replaceAll('\r\n', '\n')), 400, 'form_malformed'],
  ['LF in one head', multipart(`${fine}--b\n${disposition}\n\n0\n${end}`), 400, 'form_malformed'],
  ['a preamble', multipart(`x\r\n${fine}${end}`), 200],
  ['an empty line before it', multipart(`\r\n${fine}${end}`), 200],
  ['an epilogue', multipart(`${fine}${end}x`), 200],
  ['a line break behind it', multipart(`${fine}${end}\r\n`), 200],
  ['a part before the first boundary', multipart(`${disposition}\r\n\r\n-1\r\n${fine}${end}`), 400, 'form_malformed'],
  ['a part behind the end', multipart(`${fine}${end}${part('user_id', '-1')}${end}`), 400, 'form_malformed'],
  ['no name', multipart(head('Content-Disposition: form-data')), 400, 'form_malformed'],
  ['an empty name', multipart(head('Content-Disposition: form-data; name=""')), 400, 'form_malformed'],
  ['two names', multipart(head(`${disposition}; name="x"`)), 400, 'form_malformed'],
  ['name*', multipart(head("Content-Disposition: form-data; name*=utf-8''user_id")), 400, 'form_malformed'],
  ['an attachment', multipart(head('Content-Disposition: attachment; name="user_id"')), 400, 'form_malformed'],
  ['no Content-Disposition', multipart(head('Content-Type: text/plain')), 400, 'form_malformed'],
  ['no semicolon', multipart(head('Content-Disposition: form-data name="user_id"')), 400, 'form_malformed'],
  ['a blank before the colon', multipart(head('Content-Disposition : form-data; name="x"')), 400, 'form_malformed'],
  ['two Content-Dispositions', multipart(head(`${disposition}\r\n${disposition}`)), 400, 'form_malformed'],
  ['a folded line', multipart(head('Content-Disposition: form-data;\r\n name="user_id"')), 400, 'form_malformed'],
  ['a bare CR', multipart(head(`${disposition}\rX: y`)), 400, 'form_malformed'],
  ['no blank line', multipart(`${fine}--b\r\n${disposition}\r\n0\r\n${end}`), 400, 'form_malformed'],
  [
    'nested',
    multipart(head(`${disposition}\r\nContent-Type: multipart/mixed; boundary=c`, '--c\r\n\r\n0\r\n--c--')),
    400,
    'user_id_not_integer',
  ],
  ['base64', multipart(head(`${disposition}\r\nContent-Transfer-Encoding: base64`, 'MA==')), 400, 'form_malformed'],
  ['500 parts', multipart(fine + part('x', 'y').repeat(500) + end), 200],
  ['the boundary inside a text', multipart(part('judul', 'a--b') + part('isi', '\r\n--c') + end), 200],
  [
    'a name in single quotes is another name',
    multipart(head("Content-Disposition: form-data; name='user_id'", '-1')),
    200,
  ],
]);
row('B22', 'a file, another charset and a repeated field are 400 in a multipart form', [
  ['a file for a field', multipart(head(`${disposition}; filename="x"`)), 400, 'file_not_accepted'],
  ['a file without a name', multipart(head(`${disposition}; filename=""`)), 400, 'file_not_accepted'],
  ['filename*', multipart(head(`${disposition}; filename*=utf-8''x`)), 400, 'file_not_accepted'],
  [
    'a file for an unknown field',
    multipart(head('Content-Disposition: form-data; name="x"; filename="x"')),
    400,
    'file_not_accepted',
  ],
  [
    'a part in latin-1',
    multipart(head(`${disposition}\r\nContent-Type: text/plain; charset=latin1`)),
    400,
    'charset_unsupported',
  ],
  ['a part in UTF-8', multipart(head(`${disposition}\r\nContent-Type: text/plain; charset=UTF-8`)), 200],
  ['_charset_ is another name', multipart(fine + part('_charset_', 'iso-8859-1') + end), 200],
  ['__proto__', multipart(fine + part('__proto__', 'x') + end), 200],
  ['judul twice', multipart(fine + part('judul', 'c') + end), 400, 'field_repeated'],
  ['user_id twice', multipart(fine + part('user_id', '0') + part('user_id', '0') + end), 400, 'field_repeated'],
  ['an empty user_id', multipart(fine + part('user_id', '') + end), 400, 'user_id_empty'],
]);
const calling = ['Next-Action: 0123456789abcdef'];
const inParts = 'Content-Type: multipart/form-data; boundary=b';
row('B23', 'a call of a server action is an ordinary POST', [
  ['JSON', post(good, [json, ...calling]), 200],
  ['text', post('["$F1"]', ['Content-Type: text/plain', ...calling]), 400, 'content_type_unsupported'],
  ...['{"id":"x","bound":"$@1"}', '{"then":"$1:__proto__:then","status":"resolved_model"}'].map(
    (value): Case => [
      value,
      post(part('$ACTION_1:0', value) + part('1', '"$@0"') + end, [inParts, ...calling]),
      400,
      'field_missing',
    ],
  ),
]);
