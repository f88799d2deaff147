import { useTranslations } from 'next-intl';
import type { Picture } from '#server/sends/pictures/pictures.ts';

/** The picture of a message, for those who may see its text; a press opens it in its full size. */
export function MessagePicture({ picture, title }: { picture: Picture | null; title: string }) {
  const t = useTranslations('inbox');
  if (!picture) return null;
  const { draftId, width, height } = picture;
  const address = `/picture/${draftId}`;
  return (
    <a href={address} target="_blank" rel="noreferrer" style={{ width: 'fit-content' }}>
      {/* biome-ignore lint/performance/noImgElement: next/image would scale nothing here and adds a script */}
      <img
        src={address}
        {...{ width, height }}
        style={{ display: 'block', width: 'auto', maxWidth: '100%', height: 'auto', maxHeight: '60dvh' }}
        alt={t('picture', { title })}
      />
    </a>
  );
}
