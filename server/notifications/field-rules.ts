/** Why a text is rejected; `length` counts code points, as PostgreSQL does for `varchar`. */
export type TextProblem = { code: 'blank' | 'too_long' | 'forbidden_character'; limit: number; length: number };

// NUL, and what JSON makes of `\b` and `\f` in a Windows path.
const forbidden = /[\0\b\f]/;
const blank = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]*$/u;

/** Counts the characters of a text: Unicode code points (contract, preamble). */
export const countCharacters = (text: string): number => [...text].length;

// Whether a text has no lone surrogate; pages run in browsers without `String.isWellFormed` (Firefox 118).
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/**
 * The problem of a text that must have 1 to `limit` characters, or null. PostgreSQL cannot store NUL and lone
 * surrogates. Invisible characters alone count as blank (contract §6).
 */
export function findTextProblem(text: string, limit: number): TextProblem | null {
  const length = countCharacters(text);
  if (forbidden.test(text) || !isWellFormed(text)) return { code: 'forbidden_character', limit, length };
  if (length > limit) return { code: 'too_long', limit, length };
  if (blank.test(text)) return { code: 'blank', limit, length };
  return null;
}

/** The maximum lengths of title, text and link of a notification, in characters (contract §6). */
export const draftLimits = { title: 120, body: 255, url: 2048 } as const;

/** The problem of a title, or null. Keys and people have the same rules (contract §6). */
export const findTitleProblem = (title: string): TextProblem | null => findTextProblem(title, draftLimits.title);
export const findBodyProblem = (body: string): TextProblem | null => findTextProblem(body, draftLimits.body);

export const maxAnswers = 4;
export const maxAnswerLength = 24;

/** The answers of a form's fields, of which some are empty. */
export const asAnswers = (fields: string[]): string[] =>
  fields.map((field) => field.trim()).filter((field) => !blank.test(field));

/** The problem of the fields of answers, or null: without a field a message asks for none, else for two that differ. */
export function findAnswersProblem(fields: string[]): 'few' | 'same' | 'too_long' | 'forbidden_character' | null {
  const answers = asAnswers(fields);
  const codes = answers.map((answer) => findTextProblem(answer, maxAnswerLength)?.code);
  const code = codes.find((found) => found !== undefined && found !== 'blank');
  if (code) return code;
  if (fields.length > 0 && answers.length < 2) return 'few';
  return new Set(answers.map((answer) => answer.toLowerCase())).size < answers.length ? 'same' : null;
}

/** Why a link is rejected; `length` counts code points. */
export type LinkProblem = { code: 'forbidden_character' | 'too_long' | 'not_internal'; limit: number; length: number };

/** The problem of a link, or null: it must stay on the portal's origin (contract §6). */
export function findLinkProblem(url: string): LinkProblem | null {
  const limit = draftLimits.url;
  const length = countCharacters(url);
  if (forbidden.test(url) || !isWellFormed(url)) return { code: 'forbidden_character', limit, length };
  if (length > limit) return { code: 'too_long', limit, length };
  return isInternalPath(url) ? null : { code: 'not_internal', limit, length };
}

const origin = 'https://portal.invalid';

/**
 * Whether a link stays on the portal's origin in every browser (contract §6): one `/` first, no backslash, no control
 * character. After WHATWG parsing its path does not begin with `//`: `/.//evil` normalises to `//evil`. Links are
 * checked before storing and before showing.
 */
export function isInternalPath(url: string): boolean {
  if (!url.startsWith('/') || url.startsWith('//') || url.includes('\\') || /\p{Cc}/u.test(url)) return false;
  if (!isWellFormed(url)) return false;
  const parsed = parseAddress(url, origin);
  return parsed !== null && parsed.origin === origin && !parsed.pathname.startsWith('//');
}

/** The text as a path that a header may hold, percent-encoded, or `otherwise` if it may lead to another site. */
export function asReturnPath(text: unknown, otherwise: string): string {
  if (typeof text !== 'string' || !isInternalPath(text)) return otherwise;
  return new URL(text, origin).href.slice(origin.length);
}

// `URL.parse` and `canParse` are missing in Chrome before 120 and Safari before 17, where pages check links.
function parseAddress(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

const ownPages = /^\/(?:portal|owner|docs)(?:\/|$)/;

/**
 * Where an internal path leads. Pages of this service stay here; all others are below `linkBase`, the address of the
 * company's own portal, which dots never leave. Without it they lead nowhere: null.
 */
export function findLinkTarget(path: string, linkBase: string | null): { href: string; host: string | null } | null {
  const { pathname, search, hash } = new URL(path, 'https://portal.invalid');
  const rest = pathname + search + hash;
  if (ownPages.test(pathname)) return { href: rest, host: null };
  return linkBase === null ? null : { href: linkBase + rest, host: new URL(linkBase).host };
}

export type LinkBaseProblem = 'not-an-address' | 'not-https' | 'has-more' | 'odd-host';

/**
 * The address of a company's own portal, as it is stored: https, a host, perhaps a port and a path, no slash at the
 * end. It goes into a header, so other characters of a host than letters, digits, dots and hyphens are refused.
 * `mayBeLoopback`: also http on this machine, for a trial.
 */
export function readLinkBase(text: string, mayBeLoopback: boolean): { linkBase: string } | LinkBaseProblem {
  const url = parseAddress(text.trim());
  if (!url) return 'not-an-address';
  const isLoopback = url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(mayBeLoopback && isLoopback)) return 'not-https';
  if (url.username || url.password || /[?#\\]/.test(text)) return 'has-more';
  if (!isLoopback && !/^[a-z\d-]+(?:\.[a-z\d-]+)*$/.test(url.hostname)) return 'odd-host';
  return { linkBase: url.origin + url.pathname.replace(/\/+$/, '') };
}
