import { expect, test } from 'vitest';
import { type JpegChanges, jpegCodes, jpegParts, jpegSegment, makeJpeg } from '#e2e/support/data/pictures.ts';
import { rewriteJpeg } from '#server/sends/pictures/jpeg.ts';

const { start, quantization, frame, dc, ac, scanHeader, scan } = jpegParts(20, 10);
const restarts = jpegSegment(0xdd, [0, 2]);

test('of a photo only tables and pixels survive: positions, comments and what follows the end are gone', () => {
  const secret = Buffer.from('Exif\0<script>-7.25,112.75');
  const tables = [jpegSegment(0xdb, [3, ...Array<number>(64).fill(60)]), jpegSegment(0xc4, jpegCodes(1, 60))];
  const more = Buffer.concat([start, jpegSegment(0xe1, secret), jpegSegment(0xfe, secret), ...tables]);
  const plain = rewriteJpeg(makeJpeg(20, 10));
  expect(plain).toEqual({ width: 20, height: 10, jpeg: makeJpeg(20, 10) });
  expect(rewriteJpeg(Buffer.concat([makeJpeg(20, 10, { start: more }), secret]))).toEqual(plain);
});

test('a photo whose scan is in intervals keeps them', () => {
  const file = makeJpeg(20, 10, {
    dc: Buffer.concat([dc, ac]),
    ac: restarts,
    scan: Buffer.from('000fffd0000fffd1000f', 'hex'),
  });
  expect(rewriteJpeg(file)).toMatchObject({ jpeg: file });
});

const changed: [string, JpegChanges][] = [
  ['no end', { end: Buffer.alloc(0) }],
  ['pixels that end early', { scan: scan.subarray(1) }],
  ['a byte after the last pixel', { scan: Buffer.concat([scan, Buffer.from([0x7f])]) }],
  ['bytes between pixels and end', { scan: Buffer.concat([scan, jpegSegment(0xe1, [60, 60])]) }],
  ['a code that no table has', { scan: scan.with(1, 0x80) as unknown as Buffer }],
  ['fewer pixels than announced', { frame: jpegParts(20, 100).frame }],
  ['no pixels at all', { frame: jpegParts(0, 0).frame }],
  ['no tables of codes', { dc: Buffer.alloc(0) }],
  ['more codes than fit', { dc: jpegSegment(0xc4, [0, 3, ...Array<number>(15).fill(0), 0, 0, 0]) }],
  ['a code that is longer than a coefficient', { dc: jpegSegment(0xc4, jpegCodes(0, 12)) }],
  ['more coefficients than a block has', { ac: jpegSegment(0xc4, jpegCodes(0x10, 0xf1)) }],
  ['a table that is cut', { quantization: jpegSegment(0xdb, [0, 1, 1]) }],
  ['a quantization by 0', { quantization: jpegSegment(0xdb, Array<number>(65).fill(0)) }],
  ['two frames', { dc: Buffer.concat([dc, frame]) }],
  ['a progressive picture', { frame: frame.with(1, 0xc2) as unknown as Buffer }],
  ['one colour', { frame: jpegSegment(0xc0, [8, 0, 10, 0, 20, 1, 1, 0x11, 0]) }],
  ['other colours', { frame: frame.with(10, 82) as unknown as Buffer }],
  ['a scan of a part of the coefficients', { scanHeader: scanHeader.with(12, 5) as unknown as Buffer }],
  ['another interval than announced', { dc: Buffer.concat([dc, restarts]) }],
];

test.each<[string, Buffer]>([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['one byte', Buffer.from([0xff])],
  ['only the first bytes', makeJpeg(20, 10).subarray(0, 30)],
  ['a segment that is longer than the file', makeJpeg(20, 10, { quantization: quantization.subarray(0, 9) })],
  ...changed.map(([what, changes]) => [what, makeJpeg(20, 10, changes)] as [string, Buffer]),
])('what is no plain JPEG is refused: %s', (_, file) => {
  expect(rewriteJpeg(Buffer.from(file))).toBe('not-a-jpeg');
});

test('a photo with too many pixels is refused by its head, and 5,000 tables of codes are not unpacked', () => {
  expect(rewriteJpeg(makeJpeg(20, 10, { frame: jpegParts(1601, 8).frame }))).toBe('too-many-pixels');
  const many = Buffer.concat(Array<Buffer>(5000).fill(dc));
  const before = performance.now();
  expect(rewriteJpeg(makeJpeg(1600, 1600, { dc: many }))).toMatchObject({ width: 1600, height: 1600 });
  expect(performance.now() - before).toBeLessThan(1000);
});
