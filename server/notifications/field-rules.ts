import { isInternalPath } from '#server/notifications/internal-path.ts';
import { countCharacters, findTextProblem, isWellFormed, type TextProblem } from '#server/notifications/text-rules.ts';

/** The maximum lengths of title, text and link of a notification, in characters (contract §6). */
export const draftLimits = { title: 120, body: 255, url: 2048 } as const;

/** The problem of a title, or null. Keys and people have the same rules (contract §6). */
export const findTitleProblem = (title: string): TextProblem | null => findTextProblem(title, draftLimits.title);
export const findBodyProblem = (body: string): TextProblem | null => findTextProblem(body, draftLimits.body);

/** Why a link is rejected; `length` counts code points. */
export type LinkProblem = { code: 'forbidden_character' | 'too_long' | 'not_internal'; limit: number; length: number };

/** The problem of a link, or null: it must stay on the portal's origin (contract §6). */
export function findLinkProblem(url: string): LinkProblem | null {
  const limit = draftLimits.url;
  const length = countCharacters(url);
  if (!isWellFormed(url) || url.includes('\0')) return { code: 'forbidden_character', limit, length };
  if (length > limit) return { code: 'too_long', limit, length };
  return isInternalPath(url) ? null : { code: 'not_internal', limit, length };
}
