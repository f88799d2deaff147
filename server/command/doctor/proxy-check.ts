import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import { readDatabaseId } from '#db/database-facts.ts';
import { withConnection } from '#db/driver/connect.ts';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { streamPath } from '#server/feed/answer.ts';
import { type ClientReport, clientReportPath, doctorHeaders, probeParts } from '#server/front/client-report.ts';

/**
 * Asks APP_URL, through the proxy: whether it knows its clients' addresses, whether all processes have one build and
 * this database, and whether streams arrive at once.
 */
export const proxyCheck: Check = {
  name: 'proxy',
  run: async ({ settings, database }) => {
    if (!settings) return [skipped('The settings are wrong, so the address of the service is unknown.')];
    if (settings.trial || !database) return [skipped('A trial has no proxy.')];
    const { APP_URL } = settings;
    // All at once, so that a balancer chooses each process.
    const answers = await Promise.all(Array.from({ length: 12 }, () => askReport(APP_URL).catch(reasonOf)));
    const reports = answers.filter((answer) => answer !== null && typeof answer === 'object');
    const [first] = reports;
    if (first)
      return [
        describe(first, APP_URL),
        describeMachines(reports, answers.length),
        ...describeDatabases(reports, await withConnection(database.url, readDatabaseId).catch(() => null)),
        await checkStream(APP_URL),
      ];
    const reason = answers.find((answer) => typeof answer === 'string');
    if (reason !== undefined)
      return [
        warning(
          `${APP_URL} is out of reach from here (${reason}).`,
          'Check the proxy, its certificate and APP_URL. If this machine cannot reach it, run notif doctor where it can.',
        ),
      ];
    return [
      warning(
        `${APP_URL} does not answer as this service does.`,
        'Check that APP_URL leads to a machine with the same version and the same AUTH_SECRET.',
      ),
    ];
  },
};

function describe(report: Report, appUrl: string): Finding {
  const { peer, peerPort, isFromProxy, address, forwardedFor, isForwarded, own } = report;
  if (peerPort === own.port) return ok('APP_URL leads to the service without a proxy.');
  const isUnchanged = forwardedFor === null || forwardedFor.trim() === claimedAddress;
  // The service itself speaks no https.
  if (isUnchanged && !isFromProxy && !isForwarded && !appUrl.startsWith('https:'))
    return ok(`The service sees this machine as ${peer}. No proxy names the clients in X-Forwarded-For.`);
  // A doctor on the machine of a proxy has the address of a proxy itself.
  const wroteOwn = forwardedFor?.startsWith(`${claimedAddress}, ${own.address}`) ?? false;
  if (isUnchanged || (address === claimedAddress && !wroteOwn))
    return failing(
      `The proxy at ${peer} does not write X-Forwarded-For, so nobody's own address is known.`,
      'Let the proxy set X-Forwarded-For to the address that it sees. The files in deploy/proxies do.',
    );
  if (!isFromProxy)
    return failing(
      `The proxy at ${peer} is not trusted, so all people count as one and lock each other out.`,
      `If ${peer} is your proxy, set TRUSTED_PROXIES=${peer} on every machine, or its network, and restart.`,
    );
  return ok(`The proxy at ${peer} is trusted. The service sees this machine as ${wroteOwn ? own.address : address}.`);
}

// Whether all processes behind APP_URL know one AUTH_SECRET and serve one build.
function describeMachines(reports: ClientReport[], asked: number): Finding {
  const silent = asked - reports.length;
  if (silent > 0)
    return warning(
      `${silent} of ${asked} answers came from no process of this service.`,
      'Give all processes behind APP_URL the same AUTH_SECRET, and see whether one is down.',
      'machines',
    );
  const processes = new Map(reports.map(({ machine, build }) => [machine, build]));
  const list = [...processes]
    .map(([machine, build]) => `${machine} (${build?.version}, ${build?.id.slice(0, 8)})`)
    .join(', ');
  if (new Set(reports.map(({ build }) => build?.id)).size === 1) return ok(`One build answers: ${list}.`, 'machines');
  return warning(
    `The processes behind APP_URL differ: ${list}.`,
    'This is normal during an upgrade. Otherwise install the same package on all machines and restart its processes.',
    'machines',
  );
}

// Null where a database cannot be asked what it is; an older process does not say.
function describeDatabases(reports: ClientReport[], own: string | null): Finding[] {
  if (own === null || reports.every(({ databaseId }) => own === (databaseId ?? own))) return [];
  const cure = 'Give the doctor the settings of the service (--settings), or restart processes that have older ones.';
  return [failing('The service at APP_URL works on another database than these settings.', cure, 'other-database')];
}

// Takes 3 s if the proxy holds streams back.
async function checkStream(appUrl: string): Promise<Finding> {
  const answer = await askAsDoctor(new URL(streamPath, appUrl)).catch(() => null);
  if (!answer) return skipped('Streams were not tested: nobody answered.', 'stream');
  const { response } = answer;
  if (response.statusCode !== 200) {
    response.destroy();
    return skipped(`Streams were not tested: ${streamPath} answered ${response.statusCode}.`, 'stream');
  }
  if (await arrivesAtOnce(response)) return ok('The first bytes of a stream arrive at once.', 'stream');
  return warning(
    'The proxy holds streams back, so portals poll every 10 s and ring later.',
    `Switch buffering and compression off for ${streamPath}. The files in deploy/proxies do.`,
    'stream',
  );
}

// The service sends the last part seconds after the first one.
function arrivesAtOnce(response: IncomingMessage): Promise<boolean> {
  let text = '';
  return new Promise((resolve) => {
    const end = () => resolve(text.includes(probeParts.first) && !text.includes(probeParts.last));
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (!text.includes(probeParts.first)) return;
      end();
      response.destroy();
    });
    response.once('close', end).once('error', end);
  });
}

/** An address reserved for documentation, which the doctor puts into X-Forwarded-For. */
const claimedAddress = '192.0.2.1';

type OwnEnd = { port: number; address: string };

type Report = ClientReport & { own: OwnEnd };

/** Asks for a report at APP_URL, over a new connection; null without one. Rejects when nobody answers in 10 s. */
async function askReport(appUrl: string): Promise<Report | null> {
  const { response, own } = await askAsDoctor(new URL(clientReportPath, appUrl));
  const report = response.statusCode === 200 ? ((await json(response).catch(() => null)) as ClientReport | null) : null;
  response.resume();
  return report && { ...report, own };
}

/** Asks an address of the service as its doctor. The response is unread. */
function askAsDoctor(url: URL): Promise<{ response: IncomingMessage; own: OwnEnd }> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const headers = { ...doctorHeaders(), 'X-Forwarded-For': claimedAddress };
    const outgoing = request(url, { headers, agent: false, signal: AbortSignal.timeout(10_000) });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const { localPort = 0, localAddress = '' } = outgoing.socket ?? {};
      resolve({ response, own: { port: localPort, address: localAddress } });
    });
    outgoing.end();
  });
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
