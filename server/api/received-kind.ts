import { fallbackLanguage, type Language } from '#platform/language.ts';
import { excerptOf } from '#platform/log/redact.ts';
import { apiTexts } from '#server/texts.ts';

const { receivedKinds } = apiTexts[fallbackLanguage.program];

/**
 * What a caller sent, and what became of it: a kind of value, or a mistake in it. Its description
 * never has a text of a notification or a key.
 */
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
