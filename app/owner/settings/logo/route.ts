import { receiveUpload } from '#app/responses/upload.ts';
import { done, refused } from '#app/ui/forms/fields.ts';
import { logoPath, maxLogoBytes, setLogo } from '#server/companies/logo.ts';
import type { Session } from '#server/principals.ts';

/** Stores a new logo, whose PNG is the body. */
export function POST(request: Request): Promise<Response> {
  const upload = { path: logoPath, guard: ({ owner }: Session) => owner, maxBytes: maxLogoBytes };
  return receiveUpload(request, upload, async (owner, file) => {
    const outcome = await setLogo(owner, file);
    return outcome === 'not-a-picture' || outcome === 'too-many-pixels' ? refused({ form: outcome }) : done(outcome);
  });
}
