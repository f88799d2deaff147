/** The sign-in page: it leads on to `returnTo`, or says without a session that the browser keeps no cookies. */
export const signedInAddress = (returnTo: string): string =>
  `/login?${new URLSearchParams({ problem: 'no-cookies', returnTo })}`;
