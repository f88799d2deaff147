import { liveAnswer } from '#server/front/health.ts';

export const dynamic = 'force-dynamic';

/** Whether the process runs; where the front stands before the pages it answers this itself. */
export function GET(): Response {
  const { body, ...rest } = liveAnswer();
  return new Response(body, rest);
}
