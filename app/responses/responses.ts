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
