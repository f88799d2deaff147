/**
 * Where a browser goes after a sign-in: to the sign-in page. With a session it is redirected to
 * `returnTo`. Without one, the page says that the browser keeps no cookies.
 */
export const signedInAddress = (returnTo: string): string =>
  `/login?${new URLSearchParams({ problem: 'no-cookies', returnTo })}`;
