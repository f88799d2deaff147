import { pictureResponse } from '#app/responses/responses.ts';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import { findLogoOfBrowser, readLogo } from '#server/companies/logo.ts';

/** The logo of the person's company, or of the sign-in page. The address changes with it, so it may be kept. */
export async function GET(request: Request, { params }: { params: Promise<{ version: string }> }): Promise<Response> {
  const { version } = await params;
  const session = await currentSession();
  const own = session && (await readLogo(session.account, version));
  const browserLogo = own ? null : await findLogoOfBrowser(request.headers.get('cookie'));
  const png = own ?? (browserLogo && (await readLogo(browserLogo, version)));
  return pictureResponse(png, 'private, max-age=31536000, immutable');
}
