import { expect, test } from 'vitest';
import { audited, makeReader, printedBlock, sentTo, throughProxy } from '#e2e/support/http/reader.ts';
import { lacks } from '#e2e/support/programs.ts';

const withCurl = test.skipIf(lacks('curl')).concurrent;
const withWget = test.skipIf(lacks('wget')).concurrent;
const lines = async (recipe: string, file: string) => (await printedBlock(recipe, file)).text;

withCurl('curl: as printed it checks the key, lists, and sends to one person, as a form and as JSON', async () => {
  const { run, company, userId, arrived } = await makeReader();
  const ping = { ok: true, key: 'resep', perusahaan: company.owner.companyName };
  expect(await run(await lines('curl', 'curl-ping.sh'))).toEqual({ code: 0, out: JSON.stringify(ping), err: '' });
  const listed = JSON.parse((await run(await lines('curl', 'curl-list.sh'))).out);
  expect(listed.karyawan.map(({ nama }: { nama: string }) => nama)).toEqual(['Karyawan Satu', 'Karyawan Dua']);
  const toOne = await lines('curl', 'curl-one.sh');
  expect(await run(toOne, { USER_ID: userId })).toEqual({ code: 0, out: sentTo(1), err: '' });
  expect(await run(await lines('curl', 'curl-form.sh'))).toEqual({ code: 0, out: sentTo(2), err: '' });
  expect(await run(await lines('curl', 'curl-json.sh'))).toEqual({ code: 0, out: sentTo(2), err: '' });
  const [everyone, one] = [['Gaji November sudah masuk', 'Rapat pukul 10'], ['Kasbon disetujui']];
  expect(await arrived()).toEqual({ titles: [[...one, ...everyone], everyone], audited: audited(1, 2, 2) });
});

withWget('wget: as printed it checks the key and sends, to one person and to everyone', async () => {
  const { run, company, userId, arrived } = await makeReader();
  const ping = await run(await lines('wget', 'wget-ping.sh'));
  expect([ping.code, JSON.parse(ping.out).perusahaan]).toEqual([0, company.owner.companyName]);
  const toOne = await lines('wget', 'wget-one.sh');
  expect(await run(toOne, { USER_ID: userId })).toMatchObject({ code: 0, out: sentTo(1) });
  expect(await run(await lines('wget', 'wget-send.sh'))).toMatchObject({ code: 0, out: sentTo(2) });
  const titles = [['Kasbon disetujui', 'Rapat pukul 10'], ['Rapat pukul 10']];
  expect(await arrived()).toEqual({ titles, audited: audited(1, 2) });
});

const retrying = [
  ['curl', 'curl-retry.sh'],
  ['wget', 'wget-retry.sh'],
] as const;
for (const [recipe, file] of retrying)
  test
    .skipIf(lacks(recipe))
    .concurrent(`${recipe}: its own retries after a lost answer, 503 and 429 send one notification`, async () => {
      const { run, arrived } = await makeReader();
      const printed = await lines(recipe, file);
      const { text, proxy } = await throughProxy(printed);
      expect(await run(text)).toMatchObject({ code: 0, out: sentTo(2) });
      await proxy.stop();
      expect(proxy.onceKeys).toHaveLength(4);
      expect(new Set(proxy.onceKeys).size).toBe(1);
      expect(proxy.replayed).toEqual([false, true]);
      expect(await run(printed)).toMatchObject({ code: 0, out: sentTo(2) });
      expect((await arrived()).audited).toEqual(audited(2));
    });

withCurl('curl: a refusal is printed, ends with 22 (1 with retries), and is asked once', async () => {
  const { run, revoke, arrived } = await makeReader();
  const unset = await run(await lines('curl', 'curl-one.sh'));
  expect([unset.code, JSON.parse(unset.out).field]).toEqual([22, 'user_id']);
  await revoke();
  for (const file of ['curl-ping.sh', 'curl-list.sh', 'curl-json.sh', 'curl-form.sh', 'curl-one.sh']) {
    const { code, out } = await run(await lines('curl', file), { USER_ID: '1' });
    expect([code, JSON.parse(out).code], file).toEqual([22, 'key_rejected']);
  }
  const { text, proxy } = await throughProxy(await lines('curl', 'curl-retry.sh'), []);
  const refused = await run(text);
  expect([refused.code, JSON.parse(refused.out).code]).toEqual([1, 'key_rejected']);
  await proxy.stop();
  expect(proxy.onceKeys).toHaveLength(1);
  expect((await arrived()).audited).toEqual([]);
});
