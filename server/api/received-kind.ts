import { fallbackLanguage, type Language } from '#platform/language.ts';
import { excerptOf } from '#platform/log/log.ts';
import { apiTexts } from '#server/service-texts.ts';

const { receivedKinds } = apiTexts[fallbackLanguage.program];

/** What a caller sent, and the mistake in it. Its description never has a text of a notification or a key. */
export type ReceivedKind = keyof typeof receivedKinds;

export const isReceivedKind = (value: unknown): value is ReceivedKind =>
  typeof value === 'string' && Object.hasOwn(receivedKinds, value);

export const describeReceivedKind = (kind: ReceivedKind, language: Language): string =>
  apiTexts[language].receivedKinds[kind];

export function kindOf(value: unknown): ReceivedKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value === '') return 'empty_text';
  const kind = typeof value;
  return kind === 'string' ? 'text' : kind === 'object' || kind === 'number' || kind === 'boolean' ? kind : 'null';
}

/** A header or a name in quotes: at most 40 characters, keys replaced, invisible ones as `<U+200B>`. Not for values. */
export const quoted = (value: string): string => `"${excerptOf(value.replace(invisible, asCodePoint), 40)}"`;

const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Writes a character as its number, such as `<U+200B>`. */
export const asCodePoint = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** Whether a name looks like that of a field. With blanks, or longer, it may be the text of a notification. */
export const isPlainName = (name: string): boolean => /^[\p{L}\p{M}\p{N}\p{Cf}_.:$@[\]-]{1,40}$/u.test(name);

/** The plain names of the received fields in quotes, at most 8 of them. Undefined when there are none. */
export function listNames(names: string[]): string | undefined {
  const plain = names.filter(isPlainName).slice(0, 8);
  return plain.length === 0 ? undefined : plain.map(quoted).join(', ') + (plain.length < names.length ? ', …' : '');
}

export function idProblemOf(id: string): ReceivedKind {
  if (/[{}$%<]/.test(id)) return 'unfilled';
  return /\d/.test(id) && !/\p{L}/u.test(id) ? 'written_otherwise' : 'text';
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

// For an unknown word V8 reports no position. Then the first unknown token is the place.
const unknownToken = /"(?:[^"\\]|\\.)*"|[{}[\],:\s]+|-?\d[\d.eE+-]*|true|false|null|(?<unknown>.)/gsu;

function findErrorOffset(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  if (/end of JSON input/.test(message)) return text.length;
  for (const match of text.matchAll(unknownToken)) if (match.groups?.unknown !== undefined) return match.index;
  return text.length;
}

/** The mistake in a body that is not JSON, with line and column from 1. */
export function jsonProblemOf(text: string, error: unknown): { received: ReceivedKind; line: number; column: number } {
  // The reader of the body took one away.
  if (text.startsWith('\uFEFF')) return { received: 'byte_order_mark', line: 1, column: 1 };
  const message = error instanceof Error ? error.message : '';
  const before = text.slice(0, findErrorOffset(text, message));
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return { received: shellMistakeOf(text) ?? jsonMistake(message, before, text.charAt(before.length)), line, column };
}

/** What a shell did to the quotes of JSON that was written on its command line. */
export function shellMistakeOf(text: string): ReceivedKind | undefined {
  if (/^\s*'\s*[{[]/.test(text)) return 'single_quotes_kept';
  if (/^\s*\{\s*\\+"/.test(text)) return 'backslashes_kept';
  return /^\s*\{\s*\w+\s*:/.test(text) ? 'quotes_taken' : undefined;
}

function jsonMistake(message: string, before: string, next: string): ReceivedKind {
  if (next === '' || /Unterminated string/.test(message)) return 'ends_early';
  if (/control character/.test(message)) return 'control_in_text';
  if (/escaped character|Unicode escape/i.test(message)) return 'bad_escape';
  // Behind a text comes a mark, unless the text ended at a quote inside it.
  if (/"\s*$/.test(before) && /[\p{L}\p{N}]/u.test(next)) return 'quote_in_text';
  if (next === "'") return 'single_quotes';
  if (/[“”„‘’]/.test(next)) return 'curly_quotes';
  if (next === '{' && before.endsWith('{')) return 'placeholder';
  return /[}\]]/.test(next) && /,\s*$/.test(before) ? 'trailing_comma' : 'unexpected';
}

// Webhooks with a fixed body. They are recognised only to name their recipe in an error.

// Top-level names that occur together in a body. Grafana's alerts also have Alertmanager's names.
const bodies = {
  Grafana: ['alerts receiver orgId'],
  Alertmanager: ['alerts receiver groupKey'],
  'Uptime Kuma': ['heartbeat monitor msg'],
  // GitHub's default content type is a form with the single field `payload`.
  GitHub: ['repository sender', 'organization sender', 'hook_id zen', 'payload'],
  WooCommerce: [
    ...['order_key line_items', 'permalink regular_price', 'is_paying_customer billing', 'discount_type usage_count'],
    'webhook_id',
  ],
};

const headers = { GitHub: 'x-github-event', WooCommerce: 'x-wc-webhook-topic' };

/** The system whose webhook has these field names, or undefined. */
export function webhookOfFields(names: string[]): string | undefined {
  const cameWhole = (body: string[]) =>
    body.every((name) => names.includes(name)) && (body.length > 1 || names.length === 1);
  return Object.entries(bodies).find(([, shapes]) => shapes.some((body) => cameWhole(body.split(' '))))?.[0];
}

/** The system whose webhook sends one of these headers, or undefined. It cannot send a key. */
export const webhookOfHeaders = (header: (name: string) => string | null): string | undefined =>
  Object.entries(headers).find(([, name]) => header(name) !== null)?.[0];
