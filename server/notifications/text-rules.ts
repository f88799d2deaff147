/** Why a text is rejected; `length` counts code points, as PostgreSQL does for `varchar`. */
export type TextProblem = { code: 'blank' | 'too_long' | 'forbidden_character'; limit: number; length: number };

const loneSurrogate = /\p{Surrogate}/u;
const blank = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]*$/u;

/** Counts the characters of a text: Unicode code points (contract, preamble). */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Whether a text has no lone surrogate. Pages check texts too, and `String.isWellFormed` is missing
 * in Firefox before 119.
 */
export const isWellFormed = (text: string): boolean => !loneSurrogate.test(text);

/**
 * The problem of a text that must have 1 to `limit` characters, or null. PostgreSQL cannot store
 * NUL and lone surrogates. White space and invisible characters alone count as blank (contract §6).
 */
export function findTextProblem(text: string, limit: number): TextProblem | null {
  const length = countCharacters(text);
  if (text.includes('\0') || !isWellFormed(text)) return { code: 'forbidden_character', limit, length };
  if (length > limit) return { code: 'too_long', limit, length };
  if (blank.test(text)) return { code: 'blank', limit, length };
  return null;
}
