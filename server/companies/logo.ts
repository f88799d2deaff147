import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';
import { sql } from '#db/client.ts';
import { asOwner } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { decodeKnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Account, Employee, Owner } from '#server/principals.ts';

/** The address that takes a new logo, as the body of a POST. */
export const logoPath = '/owner/settings/logo';

export const maxLogoBytes = 256 * 1024;

/** A logo's version, which is in its address, and its size in pixels. */
type Logo = Pick<Rows['companyLogos'], 'version' | 'width' | 'height'>;

/** Somebody of a company: signed in, or with one of its invitations. */
type Member = Pick<Owner | Employee | Account, 'companyId'>;

export async function findLogo({ companyId }: Member): Promise<Logo | null> {
  const [logo] = await sql()<Logo[]>`select version, width, height from company_logos where company_id = ${companyId}`;
  return logo ?? null;
}

/** The PNG of this version of the company's logo, or null. Without a version, the newest. */
export async function readLogo({ companyId }: Member, version?: string): Promise<Buffer | null> {
  // PostgreSQL takes no NUL in a text.
  if (version?.includes('\0')) return null;
  const [logo] = await sql()<Pick<Rows['companyLogos'], 'png'>[]>`
    select png from company_logos
    where company_id = ${companyId} and version = coalesce(${version ?? null}::text, version)`;
  return logo?.png ?? null;
}

/**
 * The logo for the sign-in page of this browser, or null: the logo of the last account that signed
 * in there, if it may still sign in with the same password. The cookie is encrypted, so strangers
 * cannot request the logo of a company.
 */
export async function findLogoOfBrowser(cookieHeader: string | null): Promise<(Logo & Member) | null> {
  const account = (await decodeKnownBrowser(cookieHeader))?.accounts[0];
  if (!account) return null;
  const [logo] = await sql()<(Logo & Member)[]>`
    select l.company_id as "companyId", l.version, l.width, l.height
    from company_logos l
    join accounts a on a.company_id = l.company_id and a.id = ${account.accountId}
      and a.session_version = ${account.sessionVersion}
    where l.company_id = ${account.companyId} and (a.is_owner or a.is_manager or exists (
      select from employees e where e.company_id = a.company_id and e.account_id = a.id and e.active))`;
  return logo ?? null;
}

/**
 * Stores a new logo from a PNG. Only its pixels are kept. The outcome names what is wrong with the
 * file, and is `unchanged` for the logo that is there already.
 */
export async function setLogo(
  owner: Owner,
  file: Buffer,
): Promise<'changed' | 'unchanged' | 'not-a-png' | 'too-many-pixels'> {
  const picture = await redrawPng(file);
  if (typeof picture === 'string') return picture;
  const { png, width, height } = picture;
  const version = createHash('sha256').update(png).digest('hex').slice(0, 32);
  return asOwner(owner, async (tx) => {
    const [before] = await tx<{ logo: Rows['companyLogos']['version'] }[]>`
      select version as logo from company_logos where company_id = ${owner.companyId}`;
    const changed = findChanges({ logo: before?.logo ?? '' }, { logo: version });
    if (!changed) return 'unchanged';
    await tx`
      insert into company_logos (company_id, version, png, width, height)
      values (${owner.companyId}, ${version}, ${png}, ${width}, ${height})
      on conflict (company_id) do update
      set version = excluded.version, png = excluded.png, width = excluded.width, height = excluded.height,
        created_at = now()`;
    await recordAudit(tx, owner, 'company.edit', changed);
    return 'changed';
  });
}

export async function removeLogo(owner: Owner): Promise<'removed' | 'no-logo'> {
  return asOwner(owner, async (tx) => {
    const [removed] = await tx<{ logo: Rows['companyLogos']['version'] }[]>`
      delete from company_logos where company_id = ${owner.companyId} returning version as logo`;
    if (!removed) return 'no-logo';
    await recordAudit(tx, owner, 'company.edit', { changes: { logo: '' }, was: removed });
    return 'removed';
  });
}

const [deflateAsync, inflateAsync] = [promisify(deflate), promisify(inflate)];

type Picture = { png: Buffer; width: number; height: number };

const maxPixels = 1024;

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const headerBytes = 13;
// A colour type of PNG, and the bytes of a pixel in it: red, green and blue, and transparency.
const bytesOfPixel = new Map([
  [2, 3],
  [6, 4],
]);
const filterTypes = 5;

/**
 * Reads a PNG as a browser's canvas writes it (8 bits, RGB or RGBA, not interlaced) and writes a
 * new one from its pixels, because a PNG can carry texts and bytes behind its end, and an SVG scripts.
 * No other part of the file survives. `not-a-png` for everything else:
 * broken files, other kinds of PNG, and files whose pixels are not exactly as many as announced.
 */
export async function redrawPng(file: Buffer): Promise<Picture | 'not-a-png' | 'too-many-pixels'> {
  const parts = readParts(file);
  if (!parts) return 'not-a-png';
  const { header, data } = parts;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colourType, ...methods] = header.subarray(8);
  const pixelBytes = bytesOfPixel.get(colourType ?? 0);
  if (depth !== 8 || pixelBytes === undefined || methods.some((method) => method !== 0)) return 'not-a-png';
  if (width > maxPixels || height > maxPixels) return 'too-many-pixels';
  const lineBytes = 1 + width * pixelBytes;
  const expected = lineBytes * height;
  if (width === 0 || height === 0) return 'not-a-png';
  const pixels = await inflateAsync(data, { maxOutputLength: expected }).catch(() => null);
  if (pixels?.length !== expected) return 'not-a-png';
  for (let line = 0; line < expected; line += lineBytes) if ((pixels[line] ?? 0) >= filterTypes) return 'not-a-png';
  const packed = await deflateAsync(pixels, { level: 9 });
  const png = Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND')]);
  return { png, width, height };
}

// The header and the packed pixels, or null when the file is no PNG from its start to its end.
function readParts(file: Buffer): { header: Buffer; data: Buffer } | null {
  if (!file.subarray(0, signature.length).equals(signature)) return null;
  let header: Buffer | null = null;
  const data: Buffer[] = [];
  for (let at = signature.length; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return null;
    const type = file.toString('latin1', at + 4, at + 8);
    const content = file.subarray(at + 8, end);
    if (type === 'IHDR' && !header && length === headerBytes) header = content;
    else if (!header) return null;
    else if (type === 'IDAT') data.push(content);
    else if (type === 'IEND') return { header, data: Buffer.concat(data) };
    at = end + 4;
  }
  return null;
}

function chunk(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
