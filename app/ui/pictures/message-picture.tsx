'use client';

import '#app/ui/pictures/charts.css';
import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Picture } from '#server/notifications/shown.ts';
import { withoutMarks } from '#server/notifications/text-marks.ts';

type Props = { picture: Picture | null; title: string; onDrawn?: () => void };

/** The picture of a message; a press opens it. Nothing moves when it loads. `onDrawn`: it can be seen. */
export function MessagePicture({ picture, title, onDrawn }: Props) {
  const t = useTranslations('inbox');
  const [failed, setFailed] = useState(false);
  if (!picture) return null;
  const { draftId, width, height } = picture;
  const address = `/picture/${draftId}`;
  if (failed)
    return (
      <Button variant="default" onClick={() => setFailed(false)}>
        {t('pictureFailed')}
      </Button>
    );
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      className="message-picture"
      style={{ width: `min(100%, ${width}px, ${(60 * width) / height}vh)`, aspectRatio: `${width} / ${height}` }}
    >
      {/* biome-ignore lint/performance/noImgElement: next/image would scale nothing here and adds a script */}
      <img
        // It may have loaded before the page's scripts ran.
        ref={(image) => void (image?.complete && (image.naturalWidth > 0 ? onDrawn?.() : setFailed(true)))}
        src={address}
        width={width}
        height={height}
        alt={t('picture', { title: withoutMarks(title) })}
        onLoad={onDrawn}
        onError={() => setFailed(true)}
      />
    </a>
  );
}
