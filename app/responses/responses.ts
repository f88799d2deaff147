import { getFormatter, getTranslations } from 'next-intl/server';
import { asNamedWait } from '#app/ui/text/named-wait.ts';
import { countUse, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import type { Manager } from '#server/principals.ts';

/** Returns a JSON response that no cache may store. */
export function privateJson(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'private, no-store' } });
}

/** Responds with a picture, or with 404. Its policy is in next.config.ts: a picture may do nothing. */
export function pictureResponse(file: Buffer | null, cacheControl: string, type: 'png' | 'jpeg' = 'png'): Response {
  if (!file) return new Response(null, { status: 404, headers: { 'Cache-Control': 'private, no-store' } });
  return new Response(new Uint8Array(file), {
    headers: {
      'Content-Type': `image/${type}`,
      'Content-Length': String(file.length),
      'Content-Disposition': `inline; filename="picture.${type}"`,
      'Cache-Control': cacheControl,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

/** Counts a download. Beyond its limit, responds with 429 and when the next one is possible. */
export async function refuseDownload(manager: Manager): Promise<Response | null> {
  const waitSeconds = await countUse('download', subjectsOf(manager));
  if (waitSeconds === 0) return null;
  const [t, format] = await Promise.all([getTranslations('form'), getFormatter()]);
  const text = t('wait', { when: format.relativeTime(asNamedWait(waitSeconds), 0) });
  const headers = { 'Retry-After': String(waitSeconds), 'Cache-Control': 'private, no-store' };
  return new Response(text, { status: 429, headers });
}
