import { expect, test } from 'vitest';
import { jpegSegment, makeJpeg, makePng, pngChunk, pngHeader, pngOf } from '#e2e/support/data/pictures.ts';
import { redraw } from '#platform/redraw.ts';

const script = Buffer.from('<script>alert(1)</script>');
const [png, jpeg] = [makePng(20, 10, 7), makeJpeg(20, 10)];

test('of a picture only its pixels survive: texts, positions and what follows the end are gone', async () => {
  const loadedPng = makePng(20, 10, 7, [pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script]))]);
  const comments = [0xe1, 0xfe].map((marker) => jpegSegment(marker, Buffer.concat([Buffer.from('Exif\0'), script])));
  const loadedJpeg = makeJpeg(20, 10, { start: Buffer.concat([jpeg.subarray(0, 2), ...comments]) });
  for (const [format, plain, loaded] of [
    ['png', png, loadedPng],
    ['jpeg', jpeg, loadedJpeg],
  ] as const) {
    const redrawn = await redraw(plain, format, 100);
    expect(redrawn).toMatchObject({ width: 20, height: 10 });
    expect(await redraw(Buffer.concat([loaded, script]), format, 100)).toEqual(redrawn);
    expect((redrawn as { file: Buffer }).file.toString('latin1')).not.toContain('script');
  }
});

test('no decoder but those of PNG and JPEG runs', async () => {
  await redraw(png, 'png', 100);
  const { default: sharp } = await import('sharp');
  const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
  for (const file of [gif, svg]) await expect(sharp(file).metadata()).rejects.toThrow('unsupported image format');
});

test('a picture becomes upright as its camera says', async () => {
  // Exif: one entry, the orientation 6 (turned by 90°).
  const turned = '457869660000 4d4d002a00000008 0001 0112 0003 00000001 0006 0000 00000000'.replaceAll(' ', '');
  const start = Buffer.concat([jpeg.subarray(0, 2), jpegSegment(0xe1, Buffer.from(turned, 'hex'))]);
  expect(await redraw(makeJpeg(20, 10, { start }), 'jpeg', 100)).toMatchObject({ width: 10, height: 20 });
});

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');

test.each<[string, Buffer]>([
  ['an SVG', svg],
  ['an empty file', Buffer.alloc(0)],
  ['only the first bytes of a PNG', png.subarray(0, 60)],
  ['only the first bytes of a JPEG', jpeg.subarray(0, 30)],
  ['a PNG with a changed byte', Buffer.from(png.with(45, 1))],
  ['a JPEG whose pixels end early', makeJpeg(200, 100, { scan: Buffer.alloc(0), end: Buffer.alloc(0) })],
])('what is no picture is refused: %s', async (_, file) => {
  for (const format of ['png', 'jpeg'] as const) expect(await redraw(file, format, 1000)).toBe('not-a-picture');
});

test('a picture of the other format, or with too many pixels, is refused before it is unpacked', async () => {
  expect([await redraw(png, 'jpeg', 100), await redraw(jpeg, 'png', 100)]).toEqual(['not-a-picture', 'not-a-picture']);
  const large = pngOf(pngChunk('IHDR', pngHeader(60_000, 60_000)), pngChunk('IDAT', Buffer.alloc(100)));
  expect(await redraw(large, 'png', 1024)).toBe('too-many-pixels');
  expect(await redraw(makePng(21, 10), 'png', 20)).toBe('too-many-pixels');
});
