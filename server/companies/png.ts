import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';

const [deflateAsync, inflateAsync] = [promisify(deflate), promisify(inflate)];

/** A picture that consists of nothing but pixels. */
export type Picture = { png: Buffer; width: number; height: number };

/** The most pixels of a picture on each side. */
export const maxPixels = 1024;

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
 * new one from its pixels. No other part of the file survives. `not-a-png` for everything else:
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
