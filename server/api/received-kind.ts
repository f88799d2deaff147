import { excerptOf } from '#platform/log/redact.ts';

// The words for what a caller sent, and for what became of it. They name a kind of value or
// mistake, never a text of a notification or a key.

const descriptions = {
  nothing_sent: { en: 'Nothing was sent.', id: 'Tidak ada yang terkirim.' },
  perhaps_sent: {
    en: 'It is not certain whether it was sent: look under Sends first.',
    id: 'Belum pasti apakah sudah terkirim: lihat Kiriman dahulu.',
  },
  null: { en: 'null', id: 'null' },
  boolean: { en: 'true or false', id: 'true atau false' },
  number: { en: 'a number', id: 'angka' },
  text: { en: 'a text', id: 'teks' },
  array: { en: 'an array', id: 'array' },
  object: { en: 'an object', id: 'objek' },
  empty_text: { en: 'an empty text', id: 'teks kosong' },
  blank_text: { en: 'a text of blanks', id: 'teks yang hanya berisi spasi' },
  nul: { en: 'a NUL character (U+0000)', id: 'karakter NUL (U+0000)' },
  half_character: {
    en: 'half a character (a lone surrogate, as is left when a text is cut in the middle of an emoji)',
    id: 'separuh karakter (surrogate tunggal, biasanya karena teks dipotong di tengah emoji)',
  },
  ends_early: { en: 'it ends too early', id: 'teksnya berakhir terlalu cepat' },
  control_in_text: {
    en: 'a line break or tab inside a text must be written as \\n or \\t',
    id: 'baris baru atau tab di dalam teks harus ditulis \\n atau \\t',
  },
  single_quotes: {
    en: 'names and texts need double quotes, not single ones',
    id: 'nama dan teks harus memakai tanda kutip ganda, bukan tunggal',
  },
  bad_escape: {
    en: 'a backslash inside a text must be written twice',
    id: 'garis miring terbalik di dalam teks harus ditulis dua kali',
  },
  trailing_comma: { en: 'there is a comma behind the last field', id: 'ada koma setelah kolom terakhir' },
  curly_quotes: {
    en: 'typographic quotes stand where straight ones (") belong',
    id: 'tanda kutip melengkung dipakai di tempat tanda kutip lurus (")',
  },
  placeholder: {
    en: 'a placeholder such as {{ … }} was not filled in',
    id: 'ada placeholder seperti {{ … }} yang belum terisi',
  },
  unexpected: {
    en: 'there is something that JSON does not know at this place',
    id: 'ada sesuatu yang tidak dikenal JSON di tempat ini',
  },
  percent: {
    en: 'a percent sign must be written as %25, and everything else encoded as UTF-8',
    id: 'tanda persen harus ditulis %25, dan lainnya dikodekan sebagai UTF-8',
  },
  multipart: {
    en: 'a part of the multipart form is incomplete, or the boundary does not match; let your program write that header',
    id: 'satu bagian formulir multipart tidak lengkap, atau boundary-nya tidak cocok; biarkan program Anda menulis header itu',
  },
  bearer_beside_key: {
    en: 'X-API-Key takes the key alone, without the word Bearer',
    id: 'X-API-Key berisi kuncinya saja, tanpa kata Bearer',
  },
  basic: {
    en: 'it came as a user name or password (Basic)',
    id: 'kunci dikirim sebagai nama pengguna atau kata sandi (Basic)',
  },
  other_scheme: {
    en: 'a word other than Bearer stands before it',
    id: 'kata di depannya bukan Bearer',
  },
  wrapped: {
    en: 'quotes, brackets or other characters stand before it',
    id: 'ada tanda kutip, kurung, atau karakter lain di depannya',
  },
  absolute: {
    en: 'an address with a scheme or host; keep only what follows the host',
    id: 'alamat lengkap dengan skema atau host; pakai hanya bagian setelah host',
  },
  two_slashes: {
    en: 'a path that begins with "//", which browsers read as another site',
    id: 'path yang diawali "//", yang dibaca browser sebagai situs lain',
  },
  no_slash: { en: 'a text without "/" at its beginning', id: 'teks tanpa "/" di awalnya' },
  backslash: { en: 'a path with a backslash', id: 'path dengan garis miring terbalik' },
  control: { en: 'a path with a control character or line break', id: 'path dengan karakter kontrol atau baris baru' },
  leaves: { en: 'a path that leads to another site', id: 'path yang menuju situs lain' },
} as const;

/** What a caller sent instead of the expected: a kind of value, or a mistake in it. */
export type ReceivedKind = keyof typeof descriptions;

/** Whether a value that a sentence mentions is a `ReceivedKind`. */
export const isReceivedKind = (value: unknown): value is ReceivedKind =>
  typeof value === 'string' && Object.hasOwn(descriptions, value);

/** The description of a kind, in one of the two languages. */
export const describeReceivedKind = (kind: ReceivedKind, language: 'id' | 'en'): string => descriptions[kind][language];

/** The kind of a value that came as JSON or as form data. */
export function kindOf(value: unknown): ReceivedKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value === '') return 'empty_text';
  const kind = typeof value;
  return kind === 'string' ? 'text' : kind === 'object' || kind === 'number' || kind === 'boolean' ? kind : 'null';
}

const maxExcerptLength = 40;
const maxListedNames = 8;

/** A value in quotes, at most 40 characters, keys replaced. Not for texts of notifications. */
export const quoted = (value: string): string => `"${excerptOf(value, maxExcerptLength)}"`;

/** The names of the received fields in quotes, at most 8 of them. Undefined when there are none. */
export function listNames(names: string[]): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, maxListedNames).map((name) => quoted(name));
  return shown.join(', ') + (names.length > maxListedNames ? ', …' : '');
}

/** What is wrong with a `url` that is not an internal path (contract §6). */
export function linkProblemOf(url: string): ReceivedKind {
  if (url === '') return 'empty_text';
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return 'absolute';
  if (url.includes('\\')) return 'backslash';
  if (/\p{Cc}/u.test(url)) return 'control';
  if (url.startsWith('//')) return 'two_slashes';
  return url.startsWith('/') ? 'leaves' : 'no_slash';
}

// For an unknown word V8 reports no position, only a piece of the text. Then the first unknown
// token is the place.
const unknownToken = /"(?:[^"\\]|\\.)*"|[{}[\],:\s]+|-?\d[\d.eE+-]*|true|false|null|(?<unknown>.)/gsu;

function findErrorOffset(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  if (/end of JSON input/.test(message)) return text.length;
  for (const found of text.matchAll(unknownToken)) if (found.groups?.unknown !== undefined) return found.index;
  return text.length;
}

/** The mistake in a body that is not JSON, with line and column from 1. */
export function jsonProblemOf(text: string, error: unknown): { came: ReceivedKind; line: number; column: number } {
  const message = error instanceof Error ? error.message : '';
  const before = text.slice(0, findErrorOffset(text, message));
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return { came: jsonMistake(message, before, text.charAt(before.length)), line, column };
}

function jsonMistake(message: string, before: string, next: string): ReceivedKind {
  if (next === '' || /Unterminated string/.test(message)) return 'ends_early';
  if (/control character/.test(message)) return 'control_in_text';
  if (/escaped character|Unicode escape/i.test(message)) return 'bad_escape';
  if (next === "'") return 'single_quotes';
  if (/[“”„‘’]/.test(next)) return 'curly_quotes';
  if (next === '{' && before.endsWith('{')) return 'placeholder';
  return /[}\]]/.test(next) && /,\s*$/.test(before) ? 'trailing_comma' : 'unexpected';
}
