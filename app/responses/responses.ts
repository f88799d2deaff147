/** Returns a JSON response that no cache may store. */
export function privateJson(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'private, no-store' } });
}

/** Responds with a PNG, or with 404. Its policy is in next.config.ts: a picture may do nothing. */
export function pictureResponse(png: Buffer | null, cacheControl: string): Response {
  if (!png) return new Response(null, { status: 404, headers: { 'Cache-Control': 'private, no-store' } });
  return new Response(new Uint8Array(png), {
    headers: {
      'Content-Type': 'image/png',
      'Content-Length': String(png.length),
      'Content-Disposition': 'inline; filename="logo.png"',
      'Cache-Control': cacheControl,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
