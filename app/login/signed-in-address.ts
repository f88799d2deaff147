/**
 * Where a browser goes after a sign-in: the sign-in page, which leads on to `returnTo` whoever has a
 * session by then. The others read there that their browser keeps no cookies.
 */
export const signedInAddress = (returnTo: string): string =>
  `/login?${new URLSearchParams({ problem: 'no-cookies', returnTo })}`;
