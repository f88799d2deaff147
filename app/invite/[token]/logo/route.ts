import { pictureResponse } from '#app/responses/responses.ts';
import { readLogo } from '#server/companies/logo.ts';
import { findLink } from '#server/employees/personal-links.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const { token } = await params;
  const link = await findLink(token);
  return pictureResponse(link && (await readLogo(link)), 'private, no-store');
}
