import { crc32, deflateSync } from 'node:zlib';

export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return header;
}

export const pngOf = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, pngChunk('IEND', Buffer.alloc(0))]);

/** A PNG of one colour that depends on `seed`; `more` are further chunks before its pixels. */
export function makePng(width: number, height: number, seed = 1, more: Buffer[] = []): Buffer {
  const colour = [seed & 255, (seed >> 8) & 255, (seed >> 16) & 255, 255];
  const line = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  return pngOf(pngChunk('IHDR', pngHeader(width, height)), ...more, pngChunk('IDAT', pixels));
}

/** A segment of a JPEG: its marker, its length and its content. */
export const jpegSegment = (marker: number, content: Iterable<number>): Buffer => {
  const bytes = Buffer.from([...content]);
  return Buffer.concat([Buffer.from([0xff, marker, 0, bytes.length + 2]), bytes]);
};

/** A Huffman table whose only code is the bit 0, with this value. */
const jpegCodes = (id: number, value = 0): number[] => [id, 1, ...Array<number>(15).fill(0), value];

/** The parts of a grey JPEG without samples of its own: all bits of its 8 × 8 blocks are 0. */
function jpegParts(width: number, height: number) {
  const bits = 6 * Math.ceil(width / 8) * Math.ceil(height / 8);
  const scan = Buffer.alloc(Math.ceil(bits / 8));
  if (bits % 8 > 0) scan[scan.length - 1] = 0xff >> (bits % 8);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return {
    start: Buffer.from([0xff, 0xd8]),
    quantization: jpegSegment(0xdb, [0, ...Array<number>(64).fill(1)]),
    frame: jpegSegment(0xc0, [8, ...size, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
    dc: jpegSegment(0xc4, jpegCodes(0)),
    ac: jpegSegment(0xc4, jpegCodes(0x10)),
    scanHeader: jpegSegment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    scan,
    end: Buffer.from([0xff, 0xd9]),
  };
}

/** A JPEG of `jpegParts`, some of them replaced. */
export const makeJpeg = (width: number, height: number, changes: Partial<ReturnType<typeof jpegParts>> = {}): Buffer =>
  Buffer.concat(Object.values({ ...jpegParts(width, height), ...changes }));
