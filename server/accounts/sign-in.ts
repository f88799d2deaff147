import { signIn } from '#server/accounts/accounts.ts';
import { clientAddress } from '#server/accounts/client-address.ts';
import { endSessionOf } from '#server/accounts/session.ts';
import { openSession } from '#server/accounts/sessions.ts';
import { log } from '#server/log.ts';

type Given = { username?: unknown; password?: unknown };
type Headers = Record<string, unknown> | undefined;

/**
 * Checks what was typed at the sign-in page and opens a session for it, which replaces the one this browser had; null when it is wrong.
 * Throws `wait:<seconds>` for whoever guessed too often and `unavailable` when the database cannot be asked; the sign-in library
 * shows the message of an error in the browser, so no other may leave here.
 */
export async function authorizeSignIn({ username, password }: Given, headers: Headers) {
  if (typeof username !== 'string' || typeof password !== 'string') return null;
  if (username.length > 300 || password.length > 1000) return null;
  const text = (name: string) => (typeof headers?.[name] === 'string' ? headers[name] : null);
  const opened = await open(username.trim(), password, text).catch((error: unknown) => {
    log().error({ err: error }, 'a sign-in could not be checked');
    throw new Error('unavailable');
  });
  if (opened && 'waitSeconds' in opened) throw new Error(`wait:${opened.waitSeconds}`);
  return opened;
}

async function open(username: string, password: string, text: (name: string) => string | null) {
  const address = clientAddress(text('x-forwarded-for'));
  const checked = await signIn(username, password, address);
  if (!checked || 'waitSeconds' in checked) return checked;
  await endSessionOf(text('cookie'));
  const sessionId = await openSession(checked, { address, client: text('user-agent') ?? '' });
  return { id: String(checked.accountId), ...checked, sessionId };
}
