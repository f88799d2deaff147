import { answerText, askedLanguage } from '#app/docs/plain-text.ts';
import { findWholeText } from '#app/docs/whole-text.ts';

const nothing = {
  id: 'Tidak ada halaman dengan alamat ini. Daftarnya ada di /llms.txt.\n',
  en: 'There is no page at this address. /llms.txt lists them all.\n',
};

/** A page as Markdown; its address is the page's with `.md` behind it (next.config.ts leads here). */
export async function GET(request: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const language = askedLanguage(request);
  const text = await findWholeText((await params).path.join('/'), language);
  return text ? answerText(text, 'text/markdown') : answerText(nothing[language], 'text/plain', 404);
}
