import { liveAnswer } from '#server/front/health.ts';

export const dynamic = 'force-dynamic';

/** Whether the process runs. Behind the front, the front itself responds. */
export function GET(): Response {
  const { body, ...rest } = liveAnswer();
  return new Response(body, rest);
}
