import { pictureResponse } from '#app/responses/responses.ts';
import { findOwnerLink } from '#server/accounts/owners/owner-links.ts';
import { readLogo } from '#server/companies/logo.ts';
import { findInvitation } from '#server/employees/invitations.ts';

/** Responds with the logo of the company that made this invitation, while the invitation is valid. */
export async function GET(_request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const { token } = await params;
  const invitation = (await findInvitation(token)) ?? (await findOwnerLink(token));
  return pictureResponse(invitation && (await readLogo(invitation)), 'private, no-store');
}
