/** A text as a response. A 200 may be cached for five minutes, separately for each language. */
export function textResponse(text: string, type: string, status = 200): Response {
  return new Response(text, {
    status,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': status === 200 ? 'public, max-age=300' : 'no-store',
      Vary: 'Accept-Language',
    },
  });
}
