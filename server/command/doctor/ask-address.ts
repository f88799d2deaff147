import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import { type ClientReport, clientReportPath, doctorHeader, signDoctor } from '#server/front/client-report.ts';

const timeoutMs = 10_000;

/** An address reserved for documentation, which the doctor puts into X-Forwarded-For. */
export const claimedAddress = '192.0.2.1';

/** The doctor's own end of its connection. */
export type OwnEnd = { port: number; address: string };

/** An answer of the address: its status, and the report of the machine that gave it, or null. */
export type Report = { status: number; report: ClientReport | null; own: OwnEnd };

/** Asks for a report at APP_URL, over a new connection. Rejects when nobody answers in 10 s. */
export async function askReport(appUrl: string): Promise<Report> {
  const { response, own } = await askAsDoctor(new URL(clientReportPath, appUrl));
  const report = response.statusCode === 200 ? ((await json(response).catch(() => null)) as ClientReport | null) : null;
  response.resume();
  return { status: response.statusCode ?? 0, report, own };
}

/** Asks an address of the service as its doctor. The response is unread. */
export function askAsDoctor(url: URL): Promise<{ response: IncomingMessage; own: OwnEnd }> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const headers = { [doctorHeader]: signDoctor(), 'X-Forwarded-For': claimedAddress };
    const asked = request(url, { headers, agent: false, signal: AbortSignal.timeout(timeoutMs) });
    asked.once('error', reject);
    asked.once('response', (response) => {
      const { localPort = 0, localAddress = '' } = asked.socket ?? {};
      resolve({ response, own: { port: localPort, address: localAddress } });
    });
    asked.end();
  });
}

/** The reason why nobody answered, in a word. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
