import { notFound, permanentRedirect } from 'next/navigation';
import { DocsPage, describeText } from '#app/docs/frame/docs-page.tsx';
import { allSlugs } from '#app/docs/texts/texts.ts';

type Props = { params: Promise<{ slug: string[] }> };

const slugOf = async ({ params }: Props) => (await params).slug.join('/');

export const generateMetadata = async (props: Props) => describeText(await slugOf(props));

/** The page of a text: `/docs/send`, `/docs/recipes/curl`. */
export default async function TextPage(props: Props) {
  const slug = await slugOf(props);
  if (slug === 'start') permanentRedirect('/docs');
  if (!allSlugs.includes(slug)) notFound();
  return <DocsPage slug={slug} />;
}
