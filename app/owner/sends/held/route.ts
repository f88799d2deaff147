import { z } from 'zod';
import { privateJson } from '#app/responses/responses.ts';
import { currentSession, managerOf } from '#server/accounts/sign-in/require.ts';
import { listHeld } from '#server/sends/planned/planned-sends.ts';

const Known = z.array(z.uuid()).max(20).catch([]);

/** Answers what the owner or manager can undo now, and what became of the drafts `known`. */
export async function GET(request: Request): Promise<Response> {
  const manager = managerOf(await currentSession(), '/owner/sends/held');
  if (!manager) return privateJson([], 401);
  return privateJson(await listHeld(manager, Known.parse(new URL(request.url).searchParams.getAll('known'))));
}
