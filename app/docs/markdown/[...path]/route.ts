import { findPageMarkdown } from '#app/docs/texts/page-markdown.ts';
import { languageOf, textResponse } from '#app/docs/texts/text-response.ts';

const notFound = {
  id: 'Tidak ada halaman dengan alamat ini. Daftarnya ada di /llms.txt.\n',
  en: 'There is no page at this address. /llms.txt lists them all.\n',
};

/** A page as Markdown. next.config.ts rewrites `/docs/<page>.md` to this route. */
export async function GET(request: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const language = languageOf(request);
  const text = await findPageMarkdown((await params).path.join('/'), language);
  return text ? textResponse(text, 'text/markdown') : textResponse(notFound[language], 'text/plain', 404);
}
