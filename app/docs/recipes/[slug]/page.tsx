import { notFound } from 'next/navigation';
import { DocsPage } from '#app/docs/frame/docs-page.tsx';
import { describeText } from '#app/docs/frame/metadata.ts';
import { recipeSlugs } from '#app/docs/texts/texts.ts';

type Props = { params: Promise<{ slug: string }> };

export const generateMetadata = async ({ params }: Props) => describeText(`recipes/${(await params).slug}`);

export default async function Recipe({ params }: Props) {
  const slug = `recipes/${(await params).slug}`;
  if (!recipeSlugs.includes(slug)) notFound();
  return <DocsPage slug={slug} />;
}
