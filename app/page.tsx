import { redirect } from 'next/navigation';
import { hasOwner } from '#server/companies.ts';
import { currentSession } from '#server/require.ts';

export default async function Start() {
  const session = await currentSession();
  if (session) redirect(session.owner ? '/owner' : '/portal');
  redirect((await hasOwner()) ? '/login' : '/setup');
}
