import { answerFeed } from '#server/feed/answer.ts';
import { startFeed } from '#server/feed/stream.ts';

/** The portal's poll under `next start`. Otherwise the HTTP server in front answers it. There is no stream there. */
export async function GET(request: Request): Promise<Response> {
  startFeed();
  const { status, headers, body } = await answerFeed({
    search: new URL(request.url).search,
    cookie: request.headers.get('cookie'),
    lastEventId: null,
  });
  return new Response(body, { status, headers });
}
