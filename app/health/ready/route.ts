import { readyAnswer } from '#server/front/health.ts';

export const dynamic = 'force-dynamic';

/** Whether requests may be sent here; where the front stands before the pages it answers this itself. */
export async function GET(): Promise<Response> {
  const { body, ...rest } = await readyAnswer(true);
  return new Response(body, rest);
}
