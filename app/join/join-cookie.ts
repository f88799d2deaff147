import { cookieOptions, hostCookieName } from '#server/accounts/sessions/cookie.ts';

const days = 30;

export const joinCookieName = () => hostCookieName('join_request');

/** The cookie in which a browser keeps the token of its request to join, for whoever opens the link again. */
export const joinCookie = (value: string) => ({
  ...cookieOptions(),
  name: joinCookieName(),
  value,
  maxAge: days * 24 * 60 * 60,
});
