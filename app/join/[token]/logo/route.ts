import { pictureResponse } from '#app/responses/responses.ts';
import { readLogo } from '#server/companies/logo.ts';
import { findJoinLink, findJoinRequest } from '#server/employees/join-requests.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const { token } = await params;
  const linkOrRequest = (await findJoinLink(token)) ?? (await findJoinRequest(token));
  return pictureResponse(linkOrRequest && (await readLogo(linkOrRequest)), 'private, no-store');
}
