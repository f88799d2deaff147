import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { type ClientReport, clientReportPath, doctorHeader, signDoctor } from '#server/front/client-report.ts';

const timeoutMs = 5000;
// An address for documentation: nobody has it.
const claimed = '192.0.2.1';
const name = 'proxy';

/** Whether the service knows the addresses of its clients. Asks it at APP_URL, through the proxy. */
export const proxyCheck: Check = {
  name,
  run: async ({ settings }) => {
    if (!settings || settings.trial) return [skipped(name, 'The proxy of a service with its own database is checked.')];
    const { APP_URL } = settings;
    const asked = await ask(new URL(clientReportPath, APP_URL)).catch((error: unknown) =>
      error instanceof Error && 'code' in error ? String(error.code) : String(error),
    );
    if (typeof asked === 'string')
      return [
        warning(
          name,
          `${APP_URL} is out of reach from here (${asked}).`,
          'Check the proxy, its certificate and APP_URL. If this machine cannot reach it, run notif doctor where it can.',
        ),
      ];
    if (asked.report === null)
      return [
        warning(
          name,
          `${APP_URL} does not answer as this service does.`,
          'Check that APP_URL leads to a machine with the same version and the same AUTH_SECRET.',
        ),
      ];
    return [describe(asked.report, asked.own)];
  },
};

// The doctor's own end of its connection.
type Own = { port: number; address: string };

function ask(url: URL): Promise<{ report: ClientReport | null; own: Own }> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const headers = { [doctorHeader]: signDoctor(), 'X-Forwarded-For': claimed };
    const asked = request(url, { headers, agent: false, signal: AbortSignal.timeout(timeoutMs) });
    asked.once('error', reject);
    asked.once('response', async (response) => {
      const { localPort = 0, localAddress = '' } = asked.socket ?? {};
      const report =
        response.statusCode === 200 ? ((await json(response).catch(() => null)) as ClientReport | null) : null;
      response.resume();
      resolve({ report, own: { port: localPort, address: localAddress } });
    });
    asked.end();
  });
}

function describe({ peer, peerPort, isFromProxy, address, forwardedFor }: ClientReport, own: Own): Finding {
  if (peerPort === own.port) return ok(name, 'APP_URL leads to the service without a proxy.');
  const isUnchanged = forwardedFor === null || forwardedFor.trim() === claimed;
  if (isUnchanged && !isFromProxy)
    return ok(name, `The service sees this machine as ${peer}. No proxy names the clients in X-Forwarded-For.`);
  // A doctor on the machine of a proxy has the address of a proxy itself.
  const wroteOwn = forwardedFor?.startsWith(`${claimed}, ${own.address}`) ?? false;
  if (isUnchanged || (address === claimed && !wroteOwn))
    return failing(
      name,
      `The proxy at ${peer} does not write X-Forwarded-For, so a client can claim any address.`,
      'Let the proxy set X-Forwarded-For to the address that it sees. The files in deploy/proxies do.',
    );
  if (!isFromProxy)
    return failing(
      name,
      `The proxy at ${peer} is not trusted, so all people count as one and lock each other out.`,
      `If ${peer} is your proxy, set TRUSTED_PROXIES=${peer} on every machine, or its network, and restart.`,
    );
  return ok(
    name,
    `The proxy at ${peer} is trusted. The service sees this machine as ${wroteOwn ? own.address : address}.`,
  );
}
