import { words } from '#e2e/support/data/random.ts';
import { type Case, each, makeTable } from '#e2e/support/http/input-table.ts';
import { get, good, json, KEY, OTHER, path, ping, post, request, utf8, withKey } from '#e2e/support/http/requests.ts';
import { generateKey } from '#server/keys/keys.ts';

// Keys, methods and parameters, answered in this process. What only a socket can send: e2e/transport.

const { row } = await makeTable();
const bearer = `Authorization: Bearer ${KEY}`;

/** Three cases: these headers on a GET, a POST and a method that is not allowed. */
const onEach = (what: string, headers: string[], status: number, code?: string): Case[] => [
  [`GET, ${what}`, get(headers), status, code],
  [`POST, ${what}`, post(good, [json, ...headers], ''), status, code],
  [`PUT, ${what}`, request(`PUT ${ping}`, headers), status === 200 ? 405 : status, status === 200 ? undefined : code],
];
/** The cases of `onEach` for each of these values of a header, refused with one code. */
const values = (header: string, all: string[], status: number, code?: string) =>
  all.flatMap((value) => onEach(`${header}: ${value}`, [`${header}: ${value}`], status, code));

row('H1', 'no key, an empty header, or Bearer alone is 401', [
  ...onEach('no header', [], 401, 'key_missing'),
  ['before a broken body', post('{', [json], ''), 401, 'key_missing'],
  ...values('Authorization', ['', 'Bearer', 'Bearer    '], 401, 'key_missing'),
  ...values('X-API-Key', ['', '\t  '], 401, 'key_missing'),
  ...onEach('both empty', ['X-API-Key: ', 'Authorization: '], 401, 'key_missing'),
]);
row('H2', 'the scheme is read in any case', [
  ...values('Authorization', [...words('bearer BEARER bEaReR Bearer').map((scheme) => `${scheme} ${KEY}`)], 200),
]);
row('H3', 'spaces behind the scheme are skipped; a tab is 401', [
  ...values('Authorization', [`Bearer  ${KEY}`, `Bearer${' '.repeat(20)}${KEY}`], 200),
  ...values('Authorization', [`Bearer\t${KEY}`, `Bearer \t${KEY}`], 401, 'key_wrapped'),
  ...values('Authorization', [`Bearer ${KEY} x`], 401, 'key_malformed'),
]);

const ofGateways = [
  ...'Basic dXNlcjpwYXNz|Bearer eyJhbGciOiJub25lIn0.e30.|Bearer %E0%A4%A|Bearer %'.split('|'),
  ...'Digest username="x"|Negotiate YII=|AWS4-HMAC-SHA256 Credential=x/y|Bearer|jss'.split('|'),
];
row('H4', 'a value in the other header that is not a key is ignored', [
  ...each(200, (value) => get([`Authorization: ${value}`, withKey]), ofGateways),
  ...each(200, (value) => get([bearer, `X-API-Key: ${value}`]), ['gw-1', '%E0%A4%A', '', 'undefined', '{{key}}', '"']),
]);

const wrapped = 'Token K|ApiKey K|Bearer: K|Bearer=K|Bearer,K|Bearer "K"|Bearer <K>|Bearer Bearer K|key=K'.split('|');
row('H5', 'a key in another form of the two headers is 401', [
  ['Basic, key as user', (key) => get([`Authorization: Basic ${btoa(`${key}:`)}`]), 401, 'key_wrapped'],
  ['Basic, key as password', (key) => get([`Authorization: Basic ${btoa(`api:${key}`)}`]), 401, 'key_wrapped'],
  ...wrapped.map((form): Case => {
    const value = form.replace(/K$|K(?=[">])/, KEY);
    return [form, get([`Authorization: ${value}`]), 401, 'key_wrapped'];
  }),
  ['the key alone', get([`Authorization: ${KEY}`]), 401, 'key_without_bearer'],
  ['Bearer in X-API-Key', get([`X-API-Key: Bearer ${KEY}`]), 401, 'key_wrapped'],
  ['a list in X-API-Key', get([`X-API-Key: x, ${KEY}`]), 401, 'key_wrapped'],
]);
row('H6', 'both headers, one of them with a wrong key, are 401', [
  ...['jss_', 'jss_short', `jss_${'0'.repeat(64)}`, generateKey()].flatMap((wrong): Case[] => [
    [`X-API-Key wrong, ${wrong.length}`, get([bearer, `X-API-Key: ${wrong}`]), 401, 'key_in_both_headers'],
    [`Bearer wrong, ${wrong.length}`, get([`Authorization: Bearer ${wrong}`, withKey]), 401, 'key_in_both_headers'],
  ]),
]);
row('H7', 'both headers with valid keys are 401', [
  ...onEach('the same key', [bearer, withKey], 401, 'key_in_both_headers'),
  ...onEach('two keys', [bearer, `X-API-Key: ${OTHER}`], 401, 'key_in_both_headers'),
  ...onEach('one without Bearer', [`Authorization: ${KEY}`, withKey], 401, 'key_in_both_headers'),
]);

const disguises = (code: string, changes: Record<string, (key: string) => string>): Case[] =>
  Object.entries(changes).flatMap(([what, change]): Case[] => [
    [what, (key) => get([`X-API-Key: ${change(key)}`]), 401, code],
    [`Bearer, ${what}`, (key) => get([`Authorization: Bearer ${change(key)}`]), 401, code],
  ]);
const swap = (key: string, letter: string) => key.slice(0, 30) + letter + key.slice(31);
row('H10', 'a key with a wrong length, prefix, letter or checksum is 401', [
  ...disguises('key_malformed', {
    '63 characters': (key) => key.slice(0, -1),
    '65 characters': (key) => `${key}0`,
    'the prefix alone': () => 'jss_',
    'a wrong checksum': (key) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a'),
    'in capitals': (key) => `jss_${key.slice(4).toUpperCase()}`,
    'a blank inside': (key) => swap(key, ' '),
    '%00 behind it': (key) => `${key}%00`,
    'a backslash and 0 behind it': (key) => `${key}\\0`,
    'a Cyrillic letter': (key) => utf8(swap(key, 'а')),
    'a full-width letter': (key) => utf8(swap(key, 'Ａ')),
    'an emoji': (key) => utf8(swap(key, '🔑')),
    'latin-1 bytes': (key) => swap(key, '\xe9'),
    'a no-break space behind it': (key) => `${key}\xa0`,
    "' or 1=1 --": () => "jss_' or 1=1 --",
    'a key of 15 KiB': () => `jss_${'a'.repeat(15_000)}`,
  }),
  ...disguises('key_missing', {
    'another prefix': (key) => key.replace('jss_', 'sk_'),
    JSS_: (key) => key.replace('jss_', 'JSS_'),
    'jss-': (key) => key.replace('jss_', 'jss-'),
    'URL-encoded': (key) => key.replace('_', '%5F'),
  }),
  ...disguises('key_wrapped', {
    'in quotes': (key) => `"${key}"`,
    'in single quotes': (key) => `'${key}'`,
    'a zero-width space before it': (key) => utf8(`\u200b${key}`),
  }),
  ...disguises('key_rejected', { 'an unknown key': () => generateKey() }),
]);

const misplaced = (what: string, asked: string, code = 'key_missing'): Case => [what, asked, 401, code];
row('H13', 'a key in another header, a cookie, the query or the body is 401', [
  ...words('X_API_Key API-Key X-API-Key-2 Proxy-Authorization X-Auth-Token Authentication').map((name) =>
    misplaced(name, get([`${name}: ${KEY}`])),
  ),
  misplaced('a cookie', get([`Cookie: X-API-Key=${KEY}; Authorization=Bearer ${KEY}`])),
  ...words('key api_key X-API-Key access_token token').map((name) =>
    misplaced(`?${name}=`, get([], `${ping}&${name}=${KEY}`), 'key_in_query'),
  ),
  misplaced('JSON', post(`{"judul":"a","isi":"b","key":"${KEY}"}`, [json], '')),
  misplaced('a form', post(`key=${KEY}&judul=a&isi=b`, ['Content-Type: application/x-www-form-urlencoded'], '')),
]);

const others = words(`
  PUT PATCH DELETE OPTIONS PROPFIND PROPPATCH QUERY REPORT SEARCH MKCOL COPY MOVE LOCK UNLOCK PURGE LINK UNLINK
  M-SEARCH SUBSCRIBE MERGE ACL BIND REBIND MKCALENDAR
`);
const refused = (headers: string[], status: number, code: string): Case[] =>
  others.flatMap((method): Case[] => {
    const withBody = request(`${method} ${path}`, [...headers, json, `Content-Length: ${good.length}`]) + good;
    const bare = request(`${method} ${ping}`, headers);
    return [
      [method, bare, status, code],
      [`${method} with a body`, withBody, status, code],
    ];
  });
row('M1', 'every method but GET, HEAD and POST with a key is 405', refused([withKey], 405, 'method_not_allowed'));
row('M3', 'HEAD is answered as GET, without a body', [
  ['ping', request(`HEAD ${ping}`, [withKey]), 200],
  ['the employees', request(`HEAD ${path}?aksi=karyawan`, [withKey]), 200],
  ['no aksi', request(`HEAD ${path}`, [withKey]), 400],
  ['another aksi', request(`HEAD ${path}?aksi=kirim`, [withKey]), 400],
  ['no key', request(`HEAD ${ping}`), 401],
]);
row('M5', 'every other method without a key is 401', refused([], 401, 'key_missing'));

const asked = (search: string) => get([withKey], `${path}?${search}`);
row('A1', 'aksi is exactly ping or karyawan; everything else is 400', [
  ...each('aksi_missing', (search) => get([withKey], path + search), ['', '?']),
  ...each('aksi_missing', asked, words('aksi aksi= && =ping x=ping')),
  ...each('aksi_unknown', (value) => asked(`aksi=${value}`), [
    ...words('PING Ping %20ping ping%20 ping+ +ping ping%00 %00 ping;x ping%0a ping%26x pin pingping %zz %ff ping?'),
    ...words("kirim send karyawan%20 KARYAWAN karyawan/1 0 1 true null undefined [] %7B%7D '-- * ../ping"),
    ...words('toString __proto__ constructor hasOwnProperty ping%E2%80%8B p%C4%B1ng %EF%BD%90ing ping%EF%BB%BF'),
    ...['ping,karyawan', 'x'.repeat(8000)],
  ]),
  ...each(200, asked, words('aksi=ping aksi=karyawan %zz=%zz&aksi=ping %ff=%ff&aksi=ping&% aksi=%70ing %61ksi=ping')),
]);
row('A2', 'a repeated aksi is 400, even with equal values', [
  ...each('aksi_repeated', (rest) => asked(`aksi=${rest}`), [
    ...words('ping&aksi=karyawan ping&aksi=ping &aksi=ping ping&aksi= ping&x=1&aksi=ping ping&%61ksi=ping ping&aksi'),
  ]),
]);
row('A3', 'names that other frameworks read as aksi are other names', [
  ...each('aksi_missing', (name) => asked(`${name}=ping`), [
    ...words('aksi[] aksi[0] aksi%5B%5D aksi%00 Aksi AKSI aksi. .aksi nxtPaksi __proto__ __proto__[aksi] aksi%20'),
    ...words('+aksi action constructor'),
  ]),
]);
row('A4', 'GET sends nothing', [
  ...each('aksi_unknown', asked, ['aksi=kirim&judul=a&isi=b']),
  ...each('aksi_missing', asked, ['judul=a&isi=b']),
  ...each(200, asked, ['aksi=ping&judul=a&isi=b&user_id=0', 'aksi=ping&_method=POST&judul=a&isi=b']),
  ['by HEAD', request(`HEAD ${path}?judul=a&isi=b`, [withKey]), 400],
]);
const postTo = (search: string, body = good) => post(body).replace(`POST ${path} `, `POST ${path}${search} `);
row('A5', 'POST ignores aksi in the query, and without a user_id takes nothing else there', [
  ...each(200, postTo, words('?aksi=ping ?aksi=karyawan ?aksi=nope&aksi=x ?')),
  ...each('recipient_unclear', postTo, words('?user_id=999999 ?judul=&isi= ?%zz ?user_id=%00')),
  ['fields in the query only', postTo('?judul=a&isi=b', '{}'), 400, 'field_missing'],
]);
row('A6', 'GET ignores other parameters', [
  ...each(200, (rest) => asked(`aksi=ping&${rest}`), [
    ...words('company_id=1 tenant=2 user_id=1 page=-1 __proto__=x x[]=1 format=xml callback=alert judul=%00'),
  ]),
]);
