import { languages } from '#platform/language.ts';
import { browserTexts } from '#server/service-texts.ts';

const sources = import.meta.glob<{ default: string }>('../*.{html,js}', { query: '?raw', eager: true });

/** A file that no page of Next is: `/embed.js`, with the texts of all languages. next.config.ts names the files. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file } = await params;
  const source = sources[`../${file}`]?.default;
  if (source === undefined) return new Response(null, { status: 404 });
  const type = file.endsWith('.js') ? 'text/javascript' : 'text/html';
  const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'public, max-age=300' };
  return new Response(withTexts(source), { headers });
}

type Texts = Record<string, Record<string, string>>;

// A script gets a section of texts by language, a page one text in every language.
function withTexts(source: string): string {
  const all = languages.map((language) => [language, browserTexts[language] as unknown as Texts] as const);
  return source
    .replace(/'\{\{(\w+)\}\}'/, (_, section: string) =>
      JSON.stringify(Object.fromEntries(all.map(([language, texts]) => [language, texts[section]]))),
    )
    .replace(/\{\{(\w+)\.(\w+)\}\}/g, (_, section: string, name: string) =>
      all.map(([language, texts]) => `<span lang="${language}">${texts[section]?.[name]}</span>`).join(''),
    );
}
