import { answerFeed } from '#server/feed/answer.ts';
import { startFeed } from '#server/feed/lifecycle.ts';

/**
 * The portal's poll where Next serves requests itself. The HTTP server in front answers it
 * otherwise.
 */
export async function GET(request: Request): Promise<Response> {
  startFeed();
  const { status, headers, body } = await answerFeed({
    search: new URL(request.url).search,
    cookie: request.headers.get('cookie'),
    lastEventId: null,
  });
  return new Response(body, { status, headers });
}
