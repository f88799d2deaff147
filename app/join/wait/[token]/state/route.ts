import { privateJson } from '#app/responses/responses.ts';
import { findJoinRequest } from '#server/employees/join-requests.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const request = await findJoinRequest((await params).token);
  return request ? privateJson({ state: request.state }) : privateJson({ state: 'unknown' }, 404);
}
