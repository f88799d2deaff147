import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { makePng, pngChunk, pngHeader, pngOf } from '#e2e/support/data/pictures.ts';
import { rememberBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { listAudit } from '#server/audit/list.ts';
import { findLogo, findLogoOfBrowser, readLogo, redrawPng, removeLogo, setLogo } from '#server/companies/logo.ts';

const header = (width: number, height: number, change: Record<number, number> = {}) => {
  const bytes = pngHeader(width, height);
  for (const [at, value] of Object.entries(change)) bytes[Number(at)] = value;
  return pngChunk('IHDR', bytes);
};
const data = (bytes: number, fill = 0) => pngChunk('IDAT', deflateSync(Buffer.alloc(bytes, fill)));

test('of a picture only its pixels survive: texts, profiles and what follows the end are gone', async () => {
  const hidden = pngChunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
  const plain = await redrawPng(makePng(20, 10, 7));
  const loaded = await redrawPng(Buffer.concat([makePng(20, 10, 7, [hidden]), Buffer.from('<script>')]));
  expect(loaded).toEqual(plain);
  if (typeof plain === 'string') throw new Error(plain);
  expect([plain.width, plain.height]).toEqual([20, 10]);
  expect(plain.png.toString('latin1')).not.toContain('script');
  expect(await redrawPng(plain.png)).toEqual(plain);
});

test.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['an empty file', Buffer.alloc(0)],
  ['only the first bytes of a PNG', makePng(4, 4).subarray(0, 20)],
  ['a PNG with a changed byte', makePng(4, 4).with(45, 1) as unknown as Buffer],
  ['pixels that are fewer than announced', pngOf(header(4, 4), data(17 * 3))],
  ['a small file whose pixels unpack to 100 MB', pngOf(header(4, 4), data(100_000_000))],
  ['no pixels at all', pngOf(header(0, 0), data(0))],
  ['a palette', pngOf(header(4, 4, { 9: 3 }), data(20))],
  ['an interlaced picture', pngOf(header(4, 4, { 12: 1 }), data(17 * 4))],
  ['a line whose filter is unknown', pngOf(header(4, 4), data(17 * 4, 9))],
])('what is no plain PNG is refused: %s', async (_, file) => {
  expect(await redrawPng(Buffer.from(file))).toBe('not-a-png');
});

test('a version with NUL is no version of a logo', async () => {
  const { owner } = await makeCompany();
  expect(await readLogo(owner, '\0')).toBeNull();
});

test('a picture with too many pixels is refused before it is unpacked', async () => {
  expect(await redrawPng(pngOf(header(60_000, 60_000), data(100)))).toBe('too-many-pixels');
});

test('a logo is set, replaced and removed, each with an entry of the audit log, for one company', async () => {
  const [{ owner }, other] = [await makeCompany(), await makeCompany()];
  expect(await setLogo(owner, makePng(8, 4, 1))).toBe('changed');
  const first = await findLogo(owner);
  expect(first).toMatchObject({ width: 8, height: 4, version: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(await setLogo(owner, makePng(8, 4, 1))).toBe('unchanged');
  expect(await setLogo(owner, makePng(8, 4, 2))).toBe('changed');
  const second = await findLogo(owner);
  expect(await readLogo(owner, first?.version)).toBeNull();
  expect((await readLogo(owner, second?.version))?.subarray(1, 4).toString()).toBe('PNG');
  expect(await readLogo(other.owner, second?.version)).toBeNull();
  expect(await removeLogo(other.owner)).toBe('no-logo');
  expect(await removeLogo(owner)).toBe('removed');
  expect(await findLogo(owner)).toBeNull();
  const changes = (await listAudit(owner)).entries.filter(({ action }) => action === 'company.edit');
  expect(changes.map(({ details }) => details.changes)).toEqual([
    { logo: '' },
    { logo: second?.version },
    { logo: first?.version },
  ]);
});

test('a browser is shown the logo of the company that signed in there last, while it still may', async () => {
  const company = await makeCompany();
  const { companyId, accountId } = company.owner;
  await setLogo(company.owner, makePng(8, 4, 3));
  const cookieOf = async (account: { companyId: number; accountId: number; sessionVersion: number }, before = '') => {
    const { name, value } = await rememberBrowser(before, account);
    return `${name}=${value}`;
  };
  const own = await cookieOf({ companyId, accountId, sessionVersion: 1 });
  expect(await findLogoOfBrowser(own)).toMatchObject({ companyId, width: 8 });
  expect(await findLogoOfBrowser(await cookieOf({ companyId, accountId, sessionVersion: 0 }))).toBeNull();
  const other = await makeCompany();
  const later = { companyId: other.owner.companyId, accountId: other.owner.accountId, sessionVersion: 1 };
  expect(await findLogoOfBrowser(await cookieOf(later, own))).toBeNull();
  expect(await findLogoOfBrowser(null)).toBeNull();
  expect(await findLogoOfBrowser(`${own.split('=')[0]}=made-up`)).toBeNull();
});
