/** The text of a file and its encoding, or the reason why it is no text. */
type DecodedFile = { text: string; encoding: 'utf-8' | 'utf-16' | 'windows-1252' } | 'spreadsheet' | 'unreadable';

const startsWith = (bytes: Uint8Array, start: number[]) => start.every((byte, index) => bytes[index] === byte);
const decode = (bytes: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(bytes);

/** Decodes a text file by its byte order mark, else as UTF-8, else as Windows-1252, which may be wrong. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'spreadsheet';
  if (startsWith(bytes, [0xff, 0xfe])) return { text: decode(bytes, 'utf-16le'), encoding: 'utf-16' };
  if (startsWith(bytes, [0xfe, 0xff])) return { text: decode(bytes, 'utf-16be'), encoding: 'utf-16' };
  const text = decodeUtf8(bytes);
  if (text !== null && !text.includes('\0')) return { text, encoding: 'utf-8' };
  return bytes.includes(0) ? 'unreadable' : { text: decode(bytes, 'windows-1252'), encoding: 'windows-1252' };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
