import {
  findAnswersProblem,
  findBodyProblem,
  findLinkProblem,
  findTitleProblem,
} from '#server/notifications/field-rules.ts';

const textProblems = {
  title: { blank: 'titleBlank', too_long: 'titleLong', forbidden_character: 'forbidden' },
  body: { blank: 'bodyBlank', too_long: 'bodyLong', forbidden_character: 'forbidden' },
  answers: { few: 'answersFew', same: 'answersSame', too_long: 'answersLong', forbidden_character: 'forbidden' },
} as const;
const linkProblems = { too_long: 'linkLong', not_internal: 'linkInternal', forbidden_character: 'forbidden' } as const;

export type Texts = { title: string; body: string; url: string; answers?: string[] };

/** The problem of each text that is refused; empty when all may be sent. */
export function findTextProblems({ title, body, url, answers = [] }: Texts) {
  const titleProblem = findTitleProblem(title);
  const bodyProblem = findBodyProblem(body);
  const answersProblem = findAnswersProblem(answers);
  const linkProblem = url === '' ? null : findLinkProblem(url);
  return {
    ...(titleProblem && { title: textProblems.title[titleProblem.code] }),
    ...(bodyProblem && { body: textProblems.body[bodyProblem.code] }),
    ...(answersProblem && { answers: textProblems.answers[answersProblem] }),
    ...(linkProblem && { url: linkProblems[linkProblem.code] }),
  };
}
