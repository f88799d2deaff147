import { notFound, permanentRedirect } from 'next/navigation';
import { DocsPage, describeText, TextList } from '#app/docs/frame/docs-page.tsx';
import { allSlugs, listTexts, recipeSlugs } from '#app/docs/texts/texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';

type Props = { params: Promise<{ slug: string[] }> };

const slugOf = async ({ params }: Props) => (await params).slug.join('/');

export const generateMetadata = async (props: Props) => describeText(await slugOf(props));

/** The page of a text: `/docs/send`, `/docs/recipes/curl`. */
export default async function TextPage(props: Props) {
  const slug = await slugOf(props);
  if (slug === 'start') permanentRedirect('/docs');
  if (!allSlugs.includes(slug)) notFound();
  return (
    <DocsPage slug={slug}>
      {slug === 'recipes' && <TextList texts={listTexts(recipeSlugs, await currentLanguage())} />}
    </DocsPage>
  );
}
