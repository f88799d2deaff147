/** A picture that consists of nothing but its pixels. */
export type Picture = { file: Buffer; width: number; height: number };

/**
 * Decodes a picture of this format and encodes its pixels anew, upright: all else in the file is gone. `not-a-picture`:
 * another format, or a broken file. `too-many-pixels`: a side is longer than `maxSide`; nothing is decoded.
 */
export async function redraw(file: Buffer, format: 'jpeg' | 'png', maxSide: number) {
  // Few processes ever need it.
  const { default: sharp } = await import('sharp');
  // A stranger's picture takes one thread, and leaves nothing in memory.
  sharp.concurrency(1);
  sharp.cache(false);
  // No other decoder (SVG, TIFF, HEIF, GIF and more) sees a stranger's bytes.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
  try {
    // The head is read first: no pixel of a picture that is too large is decoded.
    const picture = sharp(file, { limitInputPixels: false });
    const head = await picture.metadata();
    if (head.format !== format) return 'not-a-picture';
    if (Math.max(head.width, head.height) > maxSide) return 'too-many-pixels';
    const upright = picture.autoOrient();
    const encoded = format === 'png' ? upright.png({ compressionLevel: 9 }) : upright.jpeg({ quality: 85 });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    return { file: data, width: info.width, height: info.height };
  } catch {
    return 'not-a-picture';
  }
}
