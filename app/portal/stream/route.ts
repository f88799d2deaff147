import { answerStream } from '#server/feed/answer.ts';
import { startFeed } from '#server/feed/lifecycle.ts';

export const dynamic = 'force-dynamic';

/** The portal's stream under `next start`. Otherwise the HTTP server in front answers it. */
export async function GET(request: Request): Promise<Response> {
  startFeed();
  const asked = {
    search: new URL(request.url).search,
    cookie: request.headers.get('cookie'),
    lastEventId: request.headers.get('last-event-id'),
  };
  const closing: (() => void)[] = [];
  let answer: Response | undefined;
  const reply = await answerStream(asked, (headers) => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    let waiting = 0;
    let open = true;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (started) => {
          controller = started;
        },
        pull: () => {
          waiting = 0;
        },
        cancel: () => {
          open = false;
          for (const closed of closing) closed();
        },
      },
      { highWaterMark: 16 },
    );
    answer = new Response(body, { headers });
    return {
      write: ({ plain }) => {
        if (open) controller?.enqueue(plain);
        waiting += plain.length;
      },
      countPendingBytes: () => ((controller?.desiredSize ?? 0) > 0 ? 0 : waiting),
      close: () => {
        if (open) controller?.close();
        open = false;
      },
      reset: () => {
        if (open) controller?.error(new Error('the client reads too slowly'));
        open = false;
      },
      onClose: (closed) => closing.push(closed),
    };
  });
  return answer && reply === 'streaming' ? answer : refuse(reply);
}

function refuse(reply: Awaited<ReturnType<typeof answerStream>>): Response {
  if (reply === 'streaming') return new Response(null, { status: 503 });
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
}

/** A stream has no HEAD. */
export function HEAD(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'GET' } });
}
