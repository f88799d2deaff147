import { innerPaths, words } from '#e2e/support/data/random.ts';
import {
  type Case,
  form,
  get,
  KEY,
  makeMatrix,
  multipart,
  part,
  path,
  post,
  utf8,
} from '#e2e/transport/input/matrix.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

const { row, employeeId } = await makeMatrix();

/** The same fields in each of the three encodings. */
function inEach(what: string, fields: Record<string, string>, status: number, code?: string): Case[] {
  const all = { judul: 'a', isi: 'b', ...fields };
  const pairs = Object.entries(all).map((pair) => pair.map(encodeURIComponent).join('='));
  const parts = Object.entries(all).map(([name, value]) => part(utf8(name), utf8(value)));
  return [
    [`JSON, ${what}`, post(utf8(JSON.stringify(all))), status, code],
    [`form, ${what}`, form(pairs.join('&')), status, code],
    [`multipart, ${what}`, multipart(`${parts.join('')}--b--\r\n`), status, code],
  ];
}

/** JSON whose one field is written as given. */
const written = (name: string, value: string, status: number, code?: string): Case => [
  `${name}: ${value.slice(0, 40)}`,
  post(utf8(JSON.stringify({ judul: 'a', isi: 'b', [name]: '?' }).replace('"?"', () => value))),
  status,
  code,
];

const texts = ['judul', 'isi'];
const blanks = '| |\t|\r\n|\u00a0|\u200b|\u3000|\u2028|\u00ad|\u2800|\u3164|\ufeff|\u200d\u2060|\u{e0020}'.split('|');
row('F1', 'a text that is missing, empty or invisible is 400', [
  ...texts.flatMap((name) =>
    blanks.flatMap((blank) => inEach(`${name} ${JSON.stringify(blank)}`, { [name]: blank }, 400, 'field_blank')),
  ),
  ['judul missing', post('{"isi":"b"}'), 400, 'field_missing'],
  ['isi missing', post('{"judul":"a"}'), 400, 'field_missing'],
  ['both missing', post('{}'), 400, 'field_missing'],
  ['judul missing in a form', form('isi=b'), 400, 'field_missing'],
  ['both missing in a multipart form', multipart(`${part('x', 'y')}--b--\r\n`), 400, 'field_missing'],
  ...['Judul', 'JUDUL', 'judul ', ' judul', 'title', 'judul[]', 'judul\u200b'].map(
    (name): Case => [name, post(utf8(JSON.stringify({ [name]: 'a', isi: 'b' }))), 400, 'field_missing'],
  ),
]);

const family = '👨‍👩‍👧‍👦';
const letters = ['a', 'é', 'e\u0301', '😀', family, 'م', '\r\n', '日', '\u{10ffff}', '\ud7ff'];
const fill = (unit: string, length: number) => {
  const size = [...unit].length;
  return unit.repeat(Math.floor(length / size)) + 'x'.repeat(length % size);
};
const limits = { judul: draftLimits.title, isi: draftLimits.body };
row('F2', `judul has up to ${limits.judul} and isi up to ${limits.isi} code points; one more is 400`, [
  ...Object.entries(limits).flatMap(([name, limit]) =>
    letters.flatMap((unit) => [
      // A text of line breaks alone would be blank.
      ...inEach(`${name} ${limit} of ${JSON.stringify(unit)}`, { [name]: `x${fill(unit, limit - 1)}` }, 200),
      ...inEach(
        `${name} ${limit + 1} of ${JSON.stringify(unit)}`,
        { [name]: `x${fill(unit, limit)}` },
        400,
        'field_too_long',
      ),
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

const controls = [
  ...'\u0001|\u0007|\u000b|\u001b[31m|\u007f|\u0080|\u0085|\u009f|\u2028|\u2029|\u202e|\u2066'.split('|'),
  ...'\u200f|\u061c|\ufff9|\ufffe|\uffff|\u{e0041}|\u{1f3f4}\u{e0067}|\ufeff|\u200b|\ufdd0'.split('|'),
  '\u0300'.repeat(50),
];
row('F4', 'other control characters, bidi marks, zero width and noncharacters are stored', [
  ...controls.flatMap((mark) => inEach(JSON.stringify(mark), { judul: `x${mark}y`, isi: `${mark}z` }, 200)),
]);

row('U0', 'user_id missing or 0 means everyone', [
  ...inEach('missing', {}, 200),
  ...inEach('0', { user_id: '0' }, 200),
  ...['0', '-0', '0.0', '0e0', '-0.0', '0.000', '0e5', '0E-5'].map((value) => written('user_id', value, 200)),
]);
row('U1', 'user_id of an own employee, in every way to write an integer', [
  ...inEach('as it is', { user_id: String(employeeId) }, 200),
  ...words('# #.0 #e0 #.000E+0 #0e-1 "#"').map((form) => written('user_id', form.replace('#', `${employeeId}`), 200)),
]);
row('U2', 'an unknown id is 404, in and out of the range of the database', [
  ...[
    ...words(
      '-1 2147483647 2147483648 4294967296 9223372036854775807 9223372036854775808 9007199254740993 -2147483649',
    ),
    '9'.repeat(300),
  ].flatMap((id) => inEach(id.slice(0, 30), { user_id: id }, 404, 'employee_not_in_company')),
  ...['1e15', '-5', '1e300', '9007199254740992', '123456789012345678901234567890', '2147483648.0'].map((value) =>
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
  ...inEach('-1', { user_id: '-1' }, 404, 'employee_not_in_company'),
]);

const kinds = ['info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen'];
const noKinds = [...'|INFO| gaji|__proto__|gaji\u200b|\u0000|\ufffd'.split('|'), 'x'.repeat(10_000)];
row('K1', 'every text of jenis is accepted', [
  ...[...kinds, ...noKinds].flatMap((jenis) => inEach(JSON.stringify(jenis).slice(0, 20), { jenis }, 200)),
  ['missing', post('{"judul":"a","isi":"b"}'), 200],
  written('jenis', '"\\ud800"', 200),
]);
row(
  'K2',
  'every other type of jenis is accepted',
  noTexts.map((value) => written('jenis', value, 200)),
);

const strange = [
  ...'company_id|tenant|id|no|reach|terkirim|created_at|read_at|key_id|must_confirm|__proto__'.split('|'),
  ...'constructor|prototype|toString|hasOwnProperty|a.b|x[y]|é|$where|user_id[]|user.id|user|id|to|target'.split('|'),
];
row('E1', 'unknown fields are ignored', [
  ...strange.flatMap((name) => inEach(name, { [name]: '999999' }, 200)),
  ...strange.map((name) => written(name, '{"$gt":[null,{"user_id":1}]}', 200)),
  written('x', '"\\u0000\\ud800"', 200),
  written('\ud800', '1', 200),
]);

const misspelt = words(
  'userId UserID userid user-id User_Id USER_ID user_ID _user__id_ -u-s-e-r-i-d user_Id user_ids UID employee Employee-Id Karyawan karyawan_id id_karyawan PENERIMA recipient recipientId',
);
const isMisspelt = [400, 'user_id_misspelt'] as const;
misspelt.push(
  'user id',
  'Karyawan ID',
  'user_id\u200b',
  'ｕｓｅｒ＿ｉｄ',
  'user\u2010id',
  'user_іd',
  '\u00adUSER\u2014ΙD',
);
row('E2', 'a misspelt user_id is 400 where user_id did not come', [
  ...misspelt.flatMap((name) => inEach(name, { [name]: String(employeeId) }, ...isMisspelt)),
  ...['0', '""', '" 5"', 'null', '[]', '{}'].map((value) => written('userId', value, ...isMisspelt)),
  ...inEach(
    'behind a text that is too long',
    { judul: 'a'.repeat(limits.judul + 1), userId: '1' },
    400,
    'field_too_long',
  ),
  ...inEach('before a url that is refused', { url: '//a', userId: '1' }, ...isMisspelt),
  ...inEach('beside user_id', { user_id: String(employeeId), userId: 'x', USER_ID: '0' }, 200),
  ...inEach('beside a wrong user_id', { user_id: '', userId: '1' }, 400, 'user_id_empty'),
  ['in the query of a POST', post('{"judul":"a","isi":"b"}').replace(path, `${path}?userId=1`), 200],
  ['twice in a form', form('judul=a&isi=b&userId=1&userId=2'), ...isMisspelt],
  ['as a pair inside another field', form('judul=userId%3D1&isi=userId'), 200],
  ['deeper in an object', post('{"judul":"a","isi":"b","x":{"userId":1}}'), 200],
  ['60 KiB of underscores', post(`{"judul":"a","isi":"b","user${'_'.repeat(60_000)}id":1}`), ...isMisspelt],
  ['in a query of GET', get([`X-API-Key: ${KEY}`], `${path}?aksi=ping&userId=1`), 200],
]);

row('L1', 'a missing url is accepted', inEach('missing', {}, 200));
row(
  'L2',
  'a path that stays on the portal is accepted',
  innerPaths.flatMap((url) => inEach(url, { url }, 200)),
);
const refusing = (id: string, promise: string, urls: string[]) =>
  row(
    id,
    promise,
    urls.flatMap((url) => inEach(JSON.stringify(url), { url }, 400, 'url_not_internal')),
  );
refusing(
  'L3',
  'a url that does not begin with / is 400',
  '|a|./a|../a| /a|\t/a|\n/a|\u00a0/a|\ufeff/a|\u200b/a|?x|#x|%2fa|／a|∕a|.|evil.test|@evil.test'.split('|'),
);
refusing('L4', 'an address with a scheme is 400', [
  ...'http://evil.test|https:evil.test|HTTP:/evil|javascript:alert(1)|jAvA\nscript:alert(1)'.split('|'),
  ...'\u0001javascript:alert(1)|data:text/html,x|mailto:a@b|vbscript:x|file:///etc/passwd|blob:x'.split('|'),
  ...'tel:1|view-source:x|about:blank|ws://x'.split('|'),
]);
refusing(
  'L5',
  'two slashes at the beginning are 400',
  words('//evil.test ///evil.test ////evil // //evil.test/a //a@evil ///'),
);
refusing(
  'L6',
  'a backslash anywhere is 400',
  words(`
  /\\evil.test /\\\\evil \\/evil /a\\b /a?\\ /a#\\ \\\\evil /\\ /\\/evil
`),
);
refusing('L7', 'a control character anywhere is 400', [
  ...'/\t/evil.test|/\n/evil|/\r/evil|/\r\n/evil|/a\u0001|/a\u001f|/a\u007f|/a\u0080|/a\u0085b'.split('|'),
  ...'/a\u009f|/a?\t|/a#\n|/.\t/\t/evil|/a\t|/\u001b'.split('|'),
]);
refusing(
  'L8',
  'a path that is // after normalisation is 400',
  words(`
  /.//evil.test /..//evil /a/..//evil /%2e//evil /%2E%2e//evil /././/evil /a/b/../..//evil /.%2e//evil
  /a/%2e%2e//evil /../..//evil
`),
);
row('L9', 'a url has up to 2,048 code points', [
  ...inEach('2,048', { url: `/${'a'.repeat(2047)}` }, 200),
  ...inEach('2,048 emoji', { url: `/${'😀'.repeat(2047)}` }, 200),
  ...inEach('2,049', { url: `/${'a'.repeat(2048)}` }, 400, 'field_too_long'),
  ...inEach('60 KiB', { url: `/${'a'.repeat(60_000)}` }, 400, 'field_too_long'),
]);
row('L10', 'NUL, U+0008, U+000C and lone surrogates in a text or url are 400', [
  ...['judul', 'isi', 'url'].flatMap((name) => [
    ...['\u0000', '\u0008', '\u000c'].flatMap((mark) =>
      inEach(`${name} ${JSON.stringify(mark)}`, { [name]: `/a${mark}b` }, 400, 'field_forbidden_character'),
    ),
    ...['"/\\ud800"', '"/a\\udc00"', '"/\\udc00\\ud800"', '"/\\ud83d x"', '"/\\u0000"'].map((value) =>
      written(name, value, 400, 'field_forbidden_character'),
    ),
  ]),
]);
