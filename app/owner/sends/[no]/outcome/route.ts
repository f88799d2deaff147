import { privateJson } from '#app/responses/responses.ts';
import { NumberText } from '#app/ui/lists/list-query.ts';
import { currentSession, managerOf } from '#server/accounts/sign-in/require.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';

/** Answers the figures of a send of the company, for its open page. 503 when they cannot be counted in time. */
export async function GET(_request: Request, { params }: { params: Promise<{ no: string }> }): Promise<Response> {
  const { no } = await params;
  const manager = managerOf(await currentSession(), `/owner/sends/${no}`);
  if (!manager) return privateJson(null, 401);
  const number = NumberText.safeParse(no).data ?? 0;
  const outcome = (await countOutcomes(manager, [number]))?.get(number);
  return privateJson(outcome ?? null, outcome ? 200 : 503);
}
