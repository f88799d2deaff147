import { words } from '#e2e/support/data/random.ts';
import { type Case, get, KEY, makeMatrix, path, ping, post, request } from '#e2e/transport/input/matrix.ts';

const { row } = await makeMatrix();
const good = '{"judul":"Judul","isi":"Isi"}';
const inHeader = `X-API-Key: ${KEY}`;
const json = ['Content-Type: application/json'];

const others = ['PUT', 'PATCH', 'DELETE'];
const rare = words(`
  TRACE OPTIONS PROPFIND PROPPATCH QUERY REPORT SEARCH MKCOL COPY MOVE LOCK UNLOCK PURGE LINK UNLINK
  M-SEARCH SUBSCRIBE MERGE ACL BIND REBIND MKCALENDAR
`);
const refused = (methods: string[], headers: string[], status: number, code: string): Case[] =>
  methods.flatMap((method): Case[] => [
    [method, request(`${method} ${ping}`, headers), status, code],
    [
      `${method} with a body`,
      request(`${method} ${path}`, [...headers, ...json, `Content-Length: ${good.length}`]) + good,
      status,
      code,
    ],
  ]);

row('M1', 'PUT, PATCH and DELETE with a key are 405', refused(others, [inHeader], 405, 'method_not_allowed'));
row('M2', 'TRACE, OPTIONS and the methods of WebDAV and others with a key are 405', [
  ...refused(rare, [inHeader], 405, 'method_not_allowed'),
]);
row('M3', 'HEAD is answered as GET, without a body', [
  ['ping', request(`HEAD ${ping}`, [inHeader]), 200],
  ['the employees', request(`HEAD ${path}?aksi=karyawan`, [inHeader]), 200],
  ['no aksi', request(`HEAD ${path}`, [inHeader]), 400],
  ['another aksi', request(`HEAD ${path}?aksi=kirim`, [inHeader]), 400],
  ['no key', request(`HEAD ${ping}`), 401],
]);
row('M4', 'an unknown method is 400; CONNECT closes the connection', [
  ['FOO', request(`FOO ${ping}`, [inHeader]), 400, 'request_malformed'],
  ['get', request(`get ${ping}`, [inHeader]), 400, 'request_malformed'],
  ['a method of 20 KiB', request(`${'A'.repeat(20_000)} ${ping}`, [inHeader]), 400, 'request_malformed'],
  ['CONNECT', `CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n${inHeader}\r\n\r\n`, 0],
]);
row('M5', 'every other method without a key is 401', refused([...others, ...rare], [], 401, 'key_missing'));

const stray = [
  ...[`${path}/`, `${path}//`, `/${path}`, '//api//v1//notif.php', '/API/v1/notif.php', '/api/V1/notif.php'],
  ...words(`
  /api/v1/NOTIF.php /api/v1/notif%2ephp /api/v1/notif.php%00 /api/v1/notif.php%20
  /api/v1/notif.php;x=1
`),
  ...['/api/v1/notif', '/api/v1/notif.php.bak', '/api/v1/notif.php~', '/api/v1/', '/api/v1', '/api/', '/api', '/API'],
  ...['/api/v2/notif.php', '/api//v1/notif.php', '/api/v1//notif.php', '/api\\v1\\notif.php', '/./api/v1/notif.php'],
  ...['/api/./v1/notif.php', '/api/v1/../v1/notif.php', '/x/../api/v1/notif.php', '/%61pi/v1/notif.php'],
  ...words(`
  /api%2fv1%2fnotif.php /api/v1/%6eotif.php /api/%2e%2e/api/v1/notif.php /api/v1/other /api/trpc/send
`),
  ...words(`
  /api/v1/notif.php/x /api/v1/notif.php/.. /api/v1/notif.php/../../v1/notif.php * // //evil.test/api
`),
  ...['/api/v1/openapi.json/', '/api/%61uth/session', '/api//auth/session'],
];
row('P1', 'another spelling of the address is 404 in JSON; the absolute form is accepted', [
  ...stray.flatMap((address): Case[] => [
    [address, get([inHeader], address), 404, 'address_unknown'],
    [`POST ${address}`, post(good).replace(`POST ${path} `, `POST ${address} `), 404, 'address_unknown'],
    [`without a key ${address}`, get([], address), 404, 'address_unknown'],
  ]),
  ['the absolute form', get([inHeader], `http://x${ping}`), 200],
  ['the absolute form of elsewhere', get([inHeader], `https://evil.test:1${ping}`), 200],
]);
row('P2', 'a query of 20 KiB is 400; escapes are decoded; a fragment is ignored', [
  ['20 KiB', get([inHeader], `${ping}&x=${'a'.repeat(20_000)}`), 400, 'request_malformed'],
  ['10 KiB', get([inHeader], `${ping}&x=${'a'.repeat(10_000)}`), 200],
  ['%zz beside it', get([inHeader], `${path}?%zz=%zz&aksi=ping`), 200],
  ['%ff beside it', get([inHeader], `${path}?%ff=%ff&aksi=ping&%`), 200],
  ['aksi=%zz', get([inHeader], `${path}?aksi=%zz`), 400, 'aksi_unknown'],
  ['aksi=%ff', get([inHeader], `${path}?aksi=%ff`), 400, 'aksi_unknown'],
  ['aksi=%70ing is ping', get([inHeader], `${path}?aksi=%70ing`), 200],
  ['%61ksi is aksi', get([inHeader], `${path}?%61ksi=ping`), 200],
  ['a fragment', get([inHeader], `${ping}#x`), 200],
  ['a question mark behind', get([inHeader], `${ping}?`), 400, 'aksi_unknown'],
]);

const missing = ['', '?', '?aksi', '?aksi=', '?&&', '?=ping', '?x=ping'];
const unknown = [
  ...words(`
  PING Ping %20ping ping%20 ping+ +ping ping%00 %00 ping;x ping%0a ping%26x pin pingping
`),
  ...words(`
  kirim send karyawan%20 KARYAWAN karyawan/1 0 1 true null undefined [] %7B%7D '--
`),
  ...words(`
  toString __proto__ constructor hasOwnProperty ping%E2%80%8B p%C4%B1ng %EF%BD%90ing ping%EF%BB%BF
`),
  ...['*', '../ping', 'ping,karyawan', `${'x'.repeat(8000)}`],
];
row('A1', 'aksi is exactly ping or karyawan; everything else is 400', [
  ...missing.map((search): Case => [search, get([inHeader], path + search), 400, 'aksi_missing']),
  ...unknown.map((value): Case => [value.slice(0, 30), get([inHeader], `${path}?aksi=${value}`), 400, 'aksi_unknown']),
  ['ping', get([inHeader]), 200],
  ['karyawan', get([inHeader], `${path}?aksi=karyawan`), 200],
]);
row('A2', 'a repeated aksi is 400, even with equal values', [
  ...words(`
  ping&aksi=karyawan ping&aksi=ping &aksi=ping ping&aksi= ping&x=1&aksi=ping ping&%61ksi=ping
  ping&aksi
`).map((rest): Case => [rest, get([inHeader], `${path}?aksi=${rest}`), 400, 'aksi_repeated']),
]);
row('A3', 'names that other frameworks read as aksi are other names', [
  ...words(`
  aksi[] aksi[0] aksi%5B%5D aksi%00 Aksi AKSI aksi. .aksi nxtPaksi __proto__ __proto__[aksi] aksi%20
  +aksi action constructor
`).map((name): Case => [name, get([inHeader], `${path}?${name}=ping`), 400, 'aksi_missing']),
]);
row('A4', 'GET sends nothing', [
  ['aksi=kirim', get([inHeader], `${path}?aksi=kirim&judul=a&isi=b`), 400, 'aksi_unknown'],
  ['the fields alone', get([inHeader], `${path}?judul=a&isi=b`), 400, 'aksi_missing'],
  ['beside ping', get([inHeader], `${ping}&judul=a&isi=b&user_id=0`), 200],
  ['_method', get([inHeader], `${ping}&_method=POST&judul=a&isi=b`), 200],
  ['by HEAD', request(`HEAD ${path}?judul=a&isi=b`, [inHeader]), 400],
]);
const postTo = (search: string, body = good) => post(body).replace(`POST ${path} `, `POST ${path}${search} `);
row('A5', 'POST ignores the query, aksi too', [
  ...words(`
  ?aksi=ping ?aksi=karyawan ?aksi=nope&aksi=x ?user_id=999999 ?judul=&isi= ? ?%zz ?user_id=%00
`).map((search): Case => [search, postTo(search), 200]),
  ['fields in the query only', postTo('?judul=a&isi=b', '{}'), 400, 'field_missing'],
]);
row('A6', 'GET ignores other parameters and a body', [
  ...words(`
  company_id=1 tenant=2 user_id=1 page=-1 __proto__=x x[]=1 format=xml callback=alert judul=%00
`).map((rest): Case => [rest, get([inHeader], `${ping}&${rest}`), 200]),
  ['a body', request(`GET ${ping}`, [inHeader, ...json, `Content-Length: ${good.length}`]) + good, 200],
  ['a body that is no JSON', `${request(`GET ${ping}`, [inHeader, ...json, 'Content-Length: 1'])}{`, 200],
  ['a chunked body', `${request(`GET ${ping}`, [inHeader, 'Transfer-Encoding: chunked'])}1\r\nx\r\n0\r\n\r\n`, 200],
]);
