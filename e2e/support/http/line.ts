import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { holdToDocument } from '#e2e/support/http/documented.ts';

/** A response; status 0 without one. `reused`: an earlier request opened the connection. */
export type LineAnswer = { status: number; headers: IncomingHttpHeaders; text: string; reused: boolean };

type Asked = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array };

/** One keep-alive connection, which never retries. `open` resolves with the headers and reads no body. */
export type Line = {
  ask: (path: string, asked?: Asked) => Promise<LineAnswer>;
  open: (path: string, asked?: Asked) => Promise<IncomingMessage>;
  close: () => void;
};

/** Prepares a connection, which the first request opens. Without `keepAlive` each request opens its own. */
export function openLine(url: string, keepAlive = true): Line {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  const send = (path: string, { method = 'GET', headers = {}, body }: Asked = {}) => {
    const asked = request(`${url}${path}`, { method, headers, agent });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve);
      asked.once('error', reject);
    });
    asked.end(body);
    return { asked, answered };
  };
  return {
    open: (path, asked) => send(path, asked).answered,
    ask: async (path, wanted) => {
      const { asked, answered } = send(path, wanted);
      const answer = await readAnswer(answered);
      const { status, headers, text } = answer;
      if (status !== 0 && path.startsWith('/api/v1/notif.php'))
        await holdToDocument(wanted?.method ?? 'GET', { status, headers: new Headers(headers as HeadersInit), text });
      return { ...answer, reused: asked.reusedSocket };
    },
    close: () => agent.destroy(),
  };
}

async function readAnswer(answered: Promise<IncomingMessage>): Promise<Omit<LineAnswer, 'reused'>> {
  try {
    const response = await answered;
    return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response) };
  } catch (error) {
    return { status: 0, headers: {}, text: String(error) };
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return text;
}
