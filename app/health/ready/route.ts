import { readyAnswer } from '#server/front/health.ts';

export const dynamic = 'force-dynamic';

/** Whether the process takes requests. Behind the front, the front itself responds. */
export async function GET(): Promise<Response> {
  const { body, ...rest } = await readyAnswer(true);
  return new Response(body, rest);
}
