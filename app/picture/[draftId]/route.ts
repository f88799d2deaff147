import { z } from 'zod';
import { pictureResponse } from '#app/responses/responses.ts';
import { receiveUpload } from '#app/responses/upload.ts';
import { done, refused } from '#app/ui/forms/fields.ts';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import type { Session } from '#server/principals.ts';
import { maxPictureBytes, picturePath, readPicture, storePicture } from '#server/sends/pictures/pictures.ts';

type Context = { params: Promise<{ draftId: string }> };

const idOf = async ({ params }: Context) => z.uuid().safeParse((await params).draftId).data;

/** Responds with the picture of a message to its recipients, and to owners and managers of its company. */
export async function GET(_request: Request, context: Context): Promise<Response> {
  const [draftId, session] = [await idOf(context), await currentSession()];
  const reader = session?.manager ?? session?.employee;
  const jpeg = draftId && reader ? await readPicture(reader, draftId) : null;
  return pictureResponse(jpeg, 'private, no-store', 'jpeg');
}

/** Stores a picture under a new id, which a draft then names. Its JPEG is the body. */
export async function POST(request: Request, context: Context): Promise<Response> {
  const draftId = await idOf(context);
  const guard = ({ manager }: Session) => manager;
  return receiveUpload(request, { path: picturePath, guard, maxBytes: maxPictureBytes }, async (manager, file) => {
    const outcome = draftId ? await storePicture(manager, draftId, file) : 'not-a-picture';
    if (outcome === 'taken') return refused({ form: 'failed' });
    return outcome === 'stored' ? done(outcome) : refused({ picture: outcome });
  });
}
