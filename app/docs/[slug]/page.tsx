import { notFound, permanentRedirect } from 'next/navigation';
import { DocsPage } from '#app/docs/frame/docs-page.tsx';
import { describeText } from '#app/docs/frame/metadata.ts';
import { pageSlugs } from '#app/docs/texts/texts.ts';

type Props = { params: Promise<{ slug: string }> };

export const generateMetadata = async ({ params }: Props) => describeText((await params).slug);

export default async function TextPage({ params }: Props) {
  const { slug } = await params;
  if (slug === 'start') permanentRedirect('/docs');
  if (!pageSlugs.includes(slug)) notFound();
  return <DocsPage slug={slug} />;
}
