import { notFound, permanentRedirect } from 'next/navigation';
import { describeText } from '#app/docs/page-title.ts';
import { Reading } from '#app/docs/reading.tsx';
import { pageSlugs } from '#app/docs/texts.ts';

type Props = { params: Promise<{ slug: string }> };

export const generateMetadata = async ({ params }: Props) => describeText((await params).slug);

export default async function DocsPage({ params }: Props) {
  const { slug } = await params;
  if (slug === 'start') permanentRedirect('/docs');
  if (!pageSlugs.includes(slug)) notFound();
  return <Reading slug={slug} />;
}
