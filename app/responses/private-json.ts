/** Returns a JSON response that no cache may store. */
export function privateJson(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'private, no-store' } });
}

/** Reads a whole number of zero or more from a query parameter, or null. */
export function readNumber(url: URL, name: string): number | null {
  const text = url.searchParams.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
