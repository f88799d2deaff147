/** What a text field was refused for; `length` is counted in code points, as PostgreSQL counts `varchar`. */
export type TextProblem = { code: 'blank' | 'too_long' | 'forbidden_character'; limit: number; length: number };

const blank = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]*$/u;

/** How many characters a text has: Unicode code points (contract, preamble). */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * What is wrong with a text of 1 to `limit` characters that must show something, or null. NUL and lone
 * surrogates cannot be stored; white space and invisible characters alone are blank (contract §6).
 */
export function findTextProblem(text: string, limit: number): TextProblem | null {
  const length = countCharacters(text);
  if (text.includes('\0') || !text.isWellFormed()) return { code: 'forbidden_character', limit, length };
  if (length > limit) return { code: 'too_long', limit, length };
  if (blank.test(text)) return { code: 'blank', limit, length };
  return null;
}
