import { findPageMarkdown } from '#app/docs/texts/page-markdown.ts';
import { languageOf, textResponse } from '#app/docs/texts/text-response.ts';

const nothing = {
  id: 'Tidak ada halaman dengan alamat ini. Daftarnya ada di /llms.txt.\n',
  en: 'There is no page at this address. /llms.txt lists them all.\n',
};

/** A page as Markdown; its address is the page's with `.md` behind it (next.config.ts leads here). */
export async function GET(request: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const language = languageOf(request);
  const text = await findPageMarkdown((await params).path.join('/'), language);
  return text ? textResponse(text, 'text/markdown') : textResponse(nothing[language], 'text/plain', 404);
}
