import type { IncomingMessage } from 'node:http';
import { askAsDoctor } from '#server/command/doctor/ask-address.ts';
import { type Finding, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { streamPath } from '#server/feed/answer.ts';
import { probeParts } from '#server/front/client-report.ts';

const name = 'stream';

/** Whether the first bytes of a stream come through the proxy at once. Takes 3 s if not. */
export async function checkStream(appUrl: string): Promise<Finding> {
  const asked = await askAsDoctor(new URL(streamPath, appUrl)).catch(() => null);
  if (!asked) return skipped(name, 'Streams were not tested: nobody answered.');
  const { response } = asked;
  if (response.statusCode !== 200) {
    response.destroy();
    return skipped(name, `Streams were not tested: ${streamPath} answered ${response.statusCode}.`);
  }
  return (await arrivesAtOnce(response)) ? ok(name, 'The first bytes of a stream arrive at once.') : describeHeld();
}

const describeHeld = () =>
  warning(
    name,
    'The proxy holds streams back, so portals poll every 10 s and ring later.',
    `Switch buffering and compression off for ${streamPath}. The files in deploy/proxies do.`,
  );

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
