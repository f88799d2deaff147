/** A photo that consists of nothing but its tables and pixels. */
type Photo = { jpeg: Buffer; width: number; height: number };

const maxPixels = 1600;

const startOfImage = 0xffd8;
const endOfImage = 0xffd9;
const startOfFrame = 0xffc0;
const startOfScan = 0xffda;
const huffmanTables = 0xffc4;
const quantizationTables = 0xffdb;
const restartInterval = 0xffdd;
const firstRestart = 0xffd0;
const isDropped = (marker: number) => marker === 0xfffe || (marker >= 0xffe0 && marker <= 0xffef);

type Header = {
  quantization: Map<number, Buffer>;
  huffman: Map<number, Buffer>;
  frame: Buffer | null;
  restartEvery: number;
};

/**
 * Reads a JPEG as a browser's canvas writes it (baseline, 8 bits, three components in one scan) and
 * writes a new one from its tables and pixels. No other part of the file survives. Decodes each bit
 * of the pixels: `not-a-jpeg` for everything else, broken files, and files whose pixels are not
 * exactly as many as announced. Sections are those of ITU-T T.81.
 */
export function rewriteJpeg(file: Buffer): Photo | 'not-a-jpeg' | 'too-many-pixels' {
  if (file.length < 4 || file.readUInt16BE(0) !== startOfImage) return 'not-a-jpeg';
  const header: Header = { quantization: new Map(), huffman: new Map(), frame: null, restartEvery: 0 };
  for (let at = 2; at + 4 <= file.length; ) {
    const marker = file.readUInt16BE(at);
    const end = at + 2 + file.readUInt16BE(at + 2);
    const content = file.subarray(at + 4, end);
    if (end < at + 4 || end > file.length) return 'not-a-jpeg';
    if (marker === startOfScan) return writeAnew(file, header, content, end);
    if (!isDropped(marker) && !readSegment(header, marker, content)) return 'not-a-jpeg';
    at = end;
  }
  return 'not-a-jpeg';
}

function readSegment(header: Header, marker: number, content: Buffer): boolean {
  if (marker === quantizationTables) return readQuantization(header, content);
  if (marker === huffmanTables) return readHuffman(header, content);
  if (marker === restartInterval && content.length === 2) {
    header.restartEvery = content.readUInt16BE(0);
    return true;
  }
  if (marker !== startOfFrame || header.frame || content.length !== 15) return false;
  header.frame = content;
  return true;
}

// Tables of 8-bit values (B.2.4.1).
function readQuantization({ quantization }: Header, content: Buffer): boolean {
  for (let at = 0; at < content.length; at += 65) {
    const table = content.subarray(at, at + 65);
    const [id = 4] = table;
    if (id > 3 || table.length < 65 || table.includes(0, 1)) return false;
    quantization.set(id, table);
  }
  return true;
}

// Class and id, the number of codes of each length, and their values (B.2.4.2).
function readHuffman({ huffman }: Header, content: Buffer): boolean {
  for (let at = 0; at < content.length; ) {
    const [id = 0, ...counts] = content.subarray(at, at + 17);
    const end = at + 17 + counts.reduce((sum, count) => sum + count, 0);
    if (counts.length < 16 || end > content.length) return false;
    huffman.set(id, content.subarray(at, end));
    at = end;
  }
  return true;
}

/**
 * The codes of a table (C.2): at each 16 bits the code that begins them, its length in the high
 * byte and its value in the low one; 0 where none does. Null when it has more codes than fit.
 */
function readCodes(table: Buffer | undefined): Uint16Array | null {
  if (!table) return null;
  const codes = new Uint16Array(65_536);
  let [place, code] = [17, 0];
  for (let length = 1; length <= 16; length++)
    for (let left = table[length] ?? 0; left > 0; left--) {
      const next = code + (1 << (16 - length));
      if (next > codes.length) return null;
      codes.fill((length << 8) | (table[place++] ?? 0), code, next);
      code = next;
    }
  return codes;
}

function writeAnew(file: Buffer, header: Header, scan: Buffer, from: number): ReturnType<typeof rewriteJpeg> {
  const { quantization, huffman, frame, restartEvery } = header;
  if (frame?.[0] !== 8 || frame[5] !== 3 || scan.length !== 10 || scan[0] !== 3) return 'not-a-jpeg';
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)];
  if (height === 0 || width === 0 || scan.readUIntBE(7, 3) !== 0x003f00) return 'not-a-jpeg';
  if (height > maxPixels || width > maxPixels) return 'too-many-pixels';
  const usedQuantization = new Map<number, Buffer>();
  const usedHuffman = new Map<number, Buffer>();
  const blocks: Block[] = [];
  let [mostAcross, mostDown] = [1, 1];
  for (const place of [0, 1, 2]) {
    const [id, sampling = 0, quantizationId = 0] = frame.subarray(6 + 3 * place);
    const [scanned, tables = 0] = scan.subarray(1 + 2 * place);
    const [across, down] = [sampling >> 4, sampling & 15];
    const [dcId, acId] = [tables >> 4, 16 + (tables & 15)];
    const table = quantization.get(quantizationId);
    const [dc, ac] = [readCodes(huffman.get(dcId)), readCodes(huffman.get(acId))];
    // Readers take the components 1, 2 and 3 for luminance and colours.
    if (id !== place + 1 || scanned !== id || !table || !dc || !ac || dcId > 1 || acId > 17) return 'not-a-jpeg';
    if (across < 1 || across > 2 || down < 1 || down > 2) return 'not-a-jpeg';
    [mostAcross, mostDown] = [Math.max(mostAcross, across), Math.max(mostDown, down)];
    usedQuantization.set(quantizationId, table);
    for (const id of [dcId, acId]) usedHuffman.set(id, huffman.get(id) ?? Buffer.alloc(0));
    blocks.push(...Array.from({ length: across * down }, () => ({ dc, ac })));
  }
  const units = Math.ceil(width / (8 * mostAcross)) * Math.ceil(height / (8 * mostDown));
  const end = readPixels(file, from, { blocks, units, restartEvery });
  if (end === null) return 'not-a-jpeg';
  const jpeg = Buffer.concat([
    asBytes(startOfImage),
    ...[...usedQuantization.values()].map((table) => segment(quantizationTables, table)),
    segment(startOfFrame, frame),
    ...[...usedHuffman.values()].map((table) => segment(huffmanTables, table)),
    ...(restartEvery > 0 ? [segment(restartInterval, asBytes(restartEvery))] : []),
    segment(startOfScan, scan),
    file.subarray(from, end + 2),
  ]);
  return { jpeg, width, height };
}

const asBytes = (number: number) => Buffer.from([number >> 8, number & 255]);
const segment = (marker: number, content: Buffer) =>
  Buffer.concat([asBytes(marker), asBytes(content.length + 2), content]);

/** The codes of a block: for its mean, and for its other 63 coefficients. */
type Block = { dc: Uint16Array; ac: Uint16Array };

type Scan = { blocks: Block[]; units: number; restartEvery: number };

/**
 * Decodes the coefficients of all blocks (F.2.2) without keeping them. Returns the place of the end
 * marker, or null when anything else follows the last block, or a code is none.
 */
function readPixels(file: Buffer, from: number, { blocks, units, restartEvery }: Scan): number | null {
  let at = from;
  // The last `count` bits of `bits` are read but not used. `missing` of them are behind a marker.
  let [bits, count, missing] = [0, 0, 0];
  const skip = (used: number) => {
    count -= used;
    while (count <= 16) {
      const byte = file[at] ?? 0xff;
      const isMarker = byte === 0xff && file[at + 1] !== 0;
      if (isMarker) missing += 8;
      else at += byte === 0xff ? 2 : 1;
      bits = (bits << 8) | byte;
      count += 8;
    }
  };
  const readSymbol = (table: Uint16Array): number | null => {
    const entry = table[(bits >>> (count - 16)) & 0xffff] ?? 0;
    skip(entry >> 8);
    return entry === 0 ? null : entry & 255;
  };
  const readBlock = ({ dc, ac }: Block): boolean => {
    const size = readSymbol(dc);
    if (size === null || size > 11) return false;
    skip(size);
    let coefficients = 1;
    while (coefficients < 64) {
      const symbol = readSymbol(ac);
      if (symbol === null) return false;
      if (symbol === 0) break;
      const [zeros, size] = [symbol >> 4, symbol & 15];
      if (size > 10 || (size === 0 && zeros < 15)) return false;
      coefficients += zeros + 1;
      skip(size);
    }
    return coefficients <= 64;
  };
  // All whole bytes before the marker were used, and none behind it.
  const isAt = (marker: number) =>
    count >= missing && count - missing < 8 && at + 2 <= file.length && file.readUInt16BE(at) === marker;
  skip(0);
  for (let unit = 0; unit < units; unit++) {
    if (restartEvery > 0 && unit > 0 && unit % restartEvery === 0) {
      if (!isAt(firstRestart + ((unit / restartEvery - 1) % 8))) return null;
      at += 2;
      [bits, count, missing] = [0, 0, 0];
      skip(0);
    }
    for (const block of blocks) if (!readBlock(block)) return null;
    // A file that ends early is noticed at once, not after all its units.
    if (missing > count) return null;
  }
  return isAt(endOfImage) ? at : null;
}
