/** Ends the session of this browser. Throws when the service did not confirm it. */
export async function signOut(): Promise<void> {
  const response = await fetch('/api/auth/sign-out', { method: 'POST' });
  if (!response.ok) throw new Error(`the sign-out was answered with ${response.status}`);
}
