import { findBodyProblem, findLinkProblem, findTitleProblem } from '#server/notifications/field-rules.ts';

const textProblems = {
  title: { blank: 'titleBlank', too_long: 'titleLong', forbidden_character: 'forbidden' },
  body: { blank: 'bodyBlank', too_long: 'bodyLong', forbidden_character: 'forbidden' },
} as const;
const linkProblems = { too_long: 'linkLong', not_internal: 'linkInternal', forbidden_character: 'forbidden' } as const;

/** The problem of each text that is refused; empty when all may be sent. */
export function findTextProblems({ title, body, url }: { title: string; body: string; url: string }) {
  const titleProblem = findTitleProblem(title);
  const bodyProblem = findBodyProblem(body);
  const linkProblem = url === '' ? null : findLinkProblem(url);
  return {
    ...(titleProblem && { title: textProblems.title[titleProblem.code] }),
    ...(bodyProblem && { body: textProblems.body[bodyProblem.code] }),
    ...(linkProblem && { url: linkProblems[linkProblem.code] }),
  };
}
