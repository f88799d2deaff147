import { redirect } from 'next/navigation';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import { hasOwner } from '#server/companies/companies.ts';

export default async function Start() {
  const session = await currentSession();
  if (session) redirect(session.manager || session.needsSecondFactor ? '/owner' : '/portal');
  redirect((await hasOwner()) ? '/login' : '/setup');
}
