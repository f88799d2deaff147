import { expect, test } from 'vitest';
import { ask, good, sendForm, sendJson, withKey } from '#e2e/fixtures/interface.ts';
import { makeCompany } from '#harness/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { countUnread } from '#server/inbox/unread.ts';

test('U0: a send without user_id, or with 0, goes to every active employee', async () => {
  const company = await makeCompany();
  const [one, two, three] = [await company.hire(), await company.hire(), await company.hire()];
  await company.deactivate(three);
  const key = await company.newKey();
  for (const body of [
    good,
    { ...good, user_id: 0 },
    { ...good, user_id: '0' },
    '{"judul":"a","isi":"b","user_id":-0.0}',
  ])
    expect((await sendJson(key, body)).json).toEqual({ ok: true, terkirim: 2 });
  expect((await sendForm(key, 'judul=a&isi=b&user_id=0')).json).toEqual({ ok: true, terkirim: 2 });
  expect((await countUnread(one)).count).toBe(5);
  expect((await countUnread(two)).count).toBe(5);
  expect((await countUnread(three)).count).toBe(0);
});

test('U1: a send with the user_id of an employee goes to that employee only', async () => {
  const company = await makeCompany();
  const [one, two] = [await company.hire(), await company.hire()];
  const key = await company.newKey();
  const id = one.employeeId;
  for (const body of [
    { ...good, user_id: id },
    { ...good, user_id: String(id) },
    `{"judul":"a","isi":"b","user_id":${id}.0}`,
    `{"judul":"a","isi":"b","user_id":${id}e0}`,
  ])
    expect((await sendJson(key, body)).json).toEqual({ ok: true, terkirim: 1 });
  expect([(await countUnread(one)).count, (await countUnread(two)).count]).toEqual([4, 0]);
});

test('U6: an inactive employee, or a company with nobody active, is 200 with terkirim 0 and an audit row', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  expect((await sendJson(key, good)).json).toEqual({ ok: true, terkirim: 0 });
  const employee = await company.hire();
  await company.deactivate(employee);
  expect((await sendJson(key, { ...good, user_id: employee.employeeId })).json).toEqual({ ok: true, terkirim: 0 });
  expect((await sendJson(key, good)).json).toEqual({ ok: true, terkirim: 0 });
  await company.activate(employee);
  expect((await listInbox(employee)).items).toEqual([]);
  const sends = (await listAudit(company.owner)).entries.filter(({ action }) => action === 'notification.send');
  expect(sends.map(({ details }) => details.reach)).toEqual([0, 0, 0]);
});

test('every send is in the audit log with the name of the key, the target, terkirim, the title and the request id', async () => {
  const company = await makeCompany();
  const employee = await company.hire('Sasaran');
  const key = await company.newKey('gaji bulanan');
  const sent = await sendJson(key, { judul: 'Gaji', isi: 'x', user_id: employee.employeeId, jenis: 'gaji' });
  const [entry] = (await listAudit(company.owner)).entries;
  expect(entry).toMatchObject({ action: 'notification.send', actorKind: 'key', actorName: 'gaji bulanan' });
  expect(entry?.details).toMatchObject({
    recipientId: employee.employeeId,
    recipientName: 'Sasaran',
    title: 'Gaji',
    reach: 1,
  });
  expect(entry?.requestId).toBe(sent.headers.get('x-request-id'));
});

test('B8, B16: the body is read as JSON in any case of the media type, with or without charset, after a byte order mark', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])
    expect((await sendJson(key, good, { 'Content-Type': type })).status, type).toBe(200);
  const marked = new TextEncoder().encode(`\uFEFF${JSON.stringify(good)}`);
  expect((await sendJson(key, marked)).status).toBe(200);
});

test('the body is read as URL-encoded and as multipart form data', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  expect(
    (await sendForm(key, `judul=Dua+kata&isi=100%25%20%C3%A9&user_id=${employee.employeeId}&jenis=bonus`)).status,
  ).toBe(200);
  const form = new FormData();
  for (const [name, value] of Object.entries({
    judul: 'Dari formulir',
    isi: 'baris 1',
    user_id: String(employee.employeeId),
  }))
    form.append(name, value);
  expect((await ask('', { method: 'POST', headers: withKey(key), body: form })).json).toEqual({
    ok: true,
    terkirim: 1,
  });
  const { items } = await listInbox(employee);
  expect(items.map(({ title, body, kind }) => [title, body, kind])).toEqual([
    ['Dari formulir', 'baris 1', 'info'],
    ['Dua kata', '100% é', 'bonus'],
  ]);
});

test('B21: a hand-written multipart form is read: short boundary, token names, escaped quotes, a closing line without CRLF', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const headers = {
    ...withKey(await company.newKey()),
    'Content-Type': 'multipart/form-data; charset=utf-8; boundary="b"',
  };
  const head = 'Content-Disposition: form-data; name=';
  const body = `--b\r\n${head}judul\r\n\r\nJudul\r\n--b  \r\nContent-Type: text/plain; charset=UTF-8\r\ncontent-disposition:form-data;name="isi"\r\n\r\nBaris\r\nKafé 😀\r\n--b\r\n${head}"x\\"y"\r\n\r\n\r\n--b--`;
  expect((await ask('', { method: 'POST', headers, body })).json).toEqual({ ok: true, terkirim: 1 });
  expect((await listInbox(employee)).items).toMatchObject([{ title: 'Judul', body: 'Baris\r\nKafé 😀' }]);
});

test('B9: an unknown field may be nested as deep as 64 KiB allow, beside a numeric user_id', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  for (const nested of [
    '['.repeat(32_000) + ']'.repeat(32_000),
    `${'{"user_id":1.5,"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  ]) {
    const body = `{"judul":"a","isi":"\\"user_id\\":0","x":${nested},"user\\u005fid":${employee.employeeId}.0}`;
    expect((await sendJson(key, body)).json).toEqual({ ok: true, terkirim: 1 });
  }
  expect((await listInbox(employee)).items).toHaveLength(2);
});

test('A5: on POST query parameters are ignored, aksi too', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  const headers = { ...withKey(key), 'Content-Type': 'application/json' };
  for (const search of ['?aksi=ping', '?aksi=nope&aksi=x', '?user_id=999999'])
    expect((await ask(search, { method: 'POST', headers, body: JSON.stringify(good) })).json).toEqual({
      ok: true,
      terkirim: 0,
    });
});

test('K1, K2: jenis is one of the six; anything else, of any type, is info', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  const known = ['info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen'];
  const others = [
    'INFO',
    'Gaji',
    '',
    ' gaji',
    '__proto__',
    'constructor',
    'x'.repeat(10_000),
    5,
    true,
    null,
    ['gaji'],
    {},
  ];
  for (const jenis of [...known, ...others]) expect((await sendJson(key, { ...good, jenis })).status).toBe(200);
  const { items } = await listInbox(employee, { limit: 50 });
  expect(items.map(({ kind }) => kind).toReversed()).toEqual([...known, ...others.map(() => 'info')]);
});

test('B4, E1: unknown fields are ignored whatever they hold, and none reaches a column, a prototype or another company', async () => {
  const [ours, theirs] = [await makeCompany(), await makeCompany()];
  const [employee, stranger] = [await ours.hire(), await theirs.hire()];
  const key = await ours.newKey();
  const extra = `"company_id":${stranger.companyId},"companyId":${stranger.companyId},"tenant":2,"no":1,"reach":99,"read_at":"2020-01-01","terkirim":9`;
  const body = `{"judul":"a","isi":"b",${extra},"__proto__":{"polluted":true,"user_id":1},"constructor":{"prototype":{"polluted":true}},"toString":1}`;
  expect((await sendJson(key, body)).json).toEqual({ ok: true, terkirim: 1 });
  expect((await listInbox(employee)).items).toMatchObject([{ no: 1, title: 'a', body: 'b', url: null, read: false }]);
  expect((await listInbox(stranger)).items).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

test('B3: a name repeated in a JSON object: the last one counts', async () => {
  const company = await makeCompany();
  const [one, two] = [await company.hire(), await company.hire()];
  const body = `{"judul":"lama","judul":"baru","isi":"b","user_id":${one.employeeId},"user_id":${two.employeeId}}`;
  expect((await sendJson(await company.newKey(), body)).status).toBe(200);
  expect((await listInbox(one)).items).toEqual([]);
  expect((await listInbox(two)).items).toMatchObject([{ title: 'baru' }]);
});

const smile = '\u{1F600}';
const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}';
const texts = [
  'a',
  smile.repeat(120),
  'é'.repeat(120),
  'e\u0301'.repeat(60),
  `${family}${'x'.repeat(113)}`,
  'مرحبا بالعالم',
  '\tx\u0001\u007F',
  '\u202Eterbalik\u202C',
  ' depan dan belakang ',
  'a\r\nb',
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}',
  "'; DROP TABLE x;--",
  '%s%n%x',
  '=cmd()',
  '\uFFFF x',
  'NULL',
  'undefined',
  '\u200Bx\u200B',
  '\u{E0041}x',
];

test('F4, F5: text is stored as it came, byte for byte: never trimmed, cut, normalised or escaped', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  for (const text of texts)
    expect((await sendJson(key, { judul: text, isi: text })).status, JSON.stringify(text)).toBe(200);
  const { items } = await listInbox(employee, { limit: 100 });
  expect(items.map(({ title, body }) => [title, body]).toReversed()).toEqual(texts.map((text) => [text, text]));
});

test('F2: judul takes 120 characters and isi 255, counted in code points', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  for (const character of ['a', 'é', smile, '\u0301'])
    expect((await sendJson(key, { judul: `x${character.repeat(119)}`, isi: `x${character.repeat(254)}` })).status).toBe(
      200,
    );
});
