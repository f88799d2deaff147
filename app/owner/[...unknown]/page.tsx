import { notFound } from 'next/navigation';
import { requireSession } from '#server/accounts/sign-in/require.ts';

/** An address that the area does not have: the page of `not-found.tsx`, within the frame. */
export default async function UnknownAddress() {
  await requireSession();
  notFound();
}
