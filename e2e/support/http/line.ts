import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { holdToDocument } from '#e2e/support/http/documented.ts';

/** A response; status 0 without one. `reused`: an earlier request opened the connection. */
export type LineAnswer = { status: number; headers: IncomingHttpHeaders; text: string; reused: boolean };

type Asked = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array };

/** A connection, which the first request opens and which never retries. Without `keepAlive` each opens its own. */
export function openLine(url: string, keepAlive = true) {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  const send = (path: string, { method = 'GET', headers = {}, body }: Asked = {}) => {
    const asked = request(`${url}${path}`, { method, headers, agent }).on('error', () => {});
    const answered = once(asked, 'response').then(([response]) => response as IncomingMessage);
    asked.end(body);
    return { asked, answered };
  };
  return {
    /** Resolves with the headers and reads no body. */
    open: (path: string, asked?: Asked) => send(path, asked).answered,
    ask: async (path: string, wanted?: Asked): Promise<LineAnswer> => {
      const { asked, answered } = send(path, wanted);
      const answer = await readAnswer(answered);
      const headers = new Headers(answer.headers as HeadersInit);
      if (answer.status !== 0 && path.startsWith('/api/v1/notif.php'))
        await holdToDocument(wanted?.method ?? 'GET', { ...answer, headers });
      return { ...answer, reused: asked.reusedSocket };
    },
    close: () => agent.destroy(),
  };
}

async function readAnswer(answered: Promise<IncomingMessage>): Promise<Omit<LineAnswer, 'reused'>> {
  try {
    const response = await answered;
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
  } catch (error) {
    return { status: 0, headers: {}, text: String(error) };
  }
}
