import { isInternalPath } from '#server/notifications/internal-path.ts';
import { countCharacters, findTextProblem, type TextProblem } from '#server/notifications/text-rules.ts';

/** The longest title, text and link of a notification, in characters (contract §6). */
export const draftLimits = { title: 120, body: 255, url: 2048 } as const;

/** What is wrong with a title or text, or null; the same for keys and for people (contract §6). */
export const findTitleProblem = (title: string): TextProblem | null => findTextProblem(title, draftLimits.title);
/** As `findTitleProblem`, of the text. */
export const findBodyProblem = (body: string): TextProblem | null => findTextProblem(body, draftLimits.body);

/** Why a link was refused; `length` is counted in code points. */
export type LinkProblem = { code: 'forbidden_character' | 'too_long' | 'not_internal'; limit: number; length: number };

/** What is wrong with a link, or null: it must be a path that stays on the portal in every browser (contract §6). */
export function findLinkProblem(url: string): LinkProblem | null {
  const limit = draftLimits.url;
  const length = countCharacters(url);
  if (!url.isWellFormed() || url.includes('\0')) return { code: 'forbidden_character', limit, length };
  if (length > limit) return { code: 'too_long', limit, length };
  return isInternalPath(url) ? null : { code: 'not_internal', limit, length };
}
