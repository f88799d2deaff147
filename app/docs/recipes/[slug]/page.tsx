import { notFound } from 'next/navigation';
import { describeText } from '#app/docs/page-title.ts';
import { Reading } from '#app/docs/reading.tsx';
import { recipeSlugs } from '#app/docs/texts.ts';

type Props = { params: Promise<{ slug: string }> };

export const generateMetadata = async ({ params }: Props) => describeText(`recipes/${(await params).slug}`);

export default async function Recipe({ params }: Props) {
  const slug = `recipes/${(await params).slug}`;
  if (!recipeSlugs.includes(slug)) notFound();
  return <Reading slug={slug} />;
}
