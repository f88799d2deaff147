import { answerFeed } from '#server/feed/answer.ts';
import { startFeed } from '#server/feed/lifecycle.ts';

/** The poll of the portals where Next serves itself; behind the front it is answered there. */
export async function GET(request: Request): Promise<Response> {
  startFeed();
  const { status, headers, body } = await answerFeed({
    search: new URL(request.url).search,
    cookie: request.headers.get('cookie'),
    lastEventId: null,
  });
  return new Response(body, { status, headers });
}
