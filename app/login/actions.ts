'use server';

import { makeSignInOptions } from '#server/accounts/sign-in/passkeys.ts';

/** What a browser needs to sign in with a passkey, for a page that stays open; null without passkeys. */
export async function startPasskeySignInAction() {
  return makeSignInOptions();
}
