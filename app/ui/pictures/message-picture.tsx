import { useTranslations } from 'next-intl';
import type { Picture } from '#server/sends/pictures/pictures.ts';

/** The picture of a message, for those who may see its text. */
export function MessagePicture({ picture, title }: { picture: Picture | null; title: string }) {
  const t = useTranslations('inbox');
  if (!picture) return null;
  const { draftId, width, height } = picture;
  return (
    // biome-ignore lint/performance/noImgElement: next/image would scale nothing here and adds a script
    <img
      src={`/picture/${draftId}`}
      {...{ width, height }}
      style={{ maxWidth: 'min(100%, 560px)', height: 'auto' }}
      alt={t('picture', { title })}
    />
  );
}
