/** A JSON answer that no cache may keep. */
export function privateJson(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'private, no-store' } });
}

/** A whole number of zero or more from a query parameter, or null. */
export function readNumber(url: URL, name: string): number | null {
  const text = url.searchParams.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
