/** A file as text, and how it was written; or why it is no text. */
export type Decoded = { text: string; encoding: 'utf-8' | 'utf-16' | 'windows-1252' } | 'spreadsheet' | 'unreadable';

const startsWith = (bytes: Uint8Array, start: number[]) => start.every((byte, at) => bytes[at] === byte);
const decode = (bytes: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(bytes);

/**
 * Reads a file of text: by its byte order mark; else as UTF-8 when it is; else as UTF-16 when every other byte is zero; else as
 * Windows-1252, which old spreadsheets write and which can never fail, so whoever gets it should look at the letters.
 */
export function decodeFile(bytes: Uint8Array): Decoded {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'spreadsheet';
  if (startsWith(bytes, [0xff, 0xfe])) return { text: decode(bytes, 'utf-16le'), encoding: 'utf-16' };
  if (startsWith(bytes, [0xfe, 0xff])) return { text: decode(bytes, 'utf-16be'), encoding: 'utf-16' };
  const text = decodeUtf8(bytes);
  if (text !== null && !text.includes('\0')) return { text, encoding: 'utf-8' };
  if (!bytes.includes(0)) return { text: decode(bytes, 'windows-1252'), encoding: 'windows-1252' };
  const order = findZeros(bytes);
  return order ? { text: decode(bytes, order), encoding: 'utf-16' } : 'unreadable';
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// Latin text in UTF-16 has its zeros at odd places in one byte order and at even ones in the other.
function findZeros(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  bytes.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > bytes.length / 4 && even < odd / 10) return 'utf-16le';
  return even > bytes.length / 4 && odd < even / 10 ? 'utf-16be' : null;
}
