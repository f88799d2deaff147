import { Text } from '@mantine/core';
import { EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useRef } from 'react';
import { CorrectedMark, KindIcon, OpensAt, PictureMark, ReminderMark } from '#app/portal/notification/item-parts.tsx';
import { useIsWhole } from '#app/ui/text/clamped-text.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

/** What a pop-up shows of a notification, or of one that is being written. */
export type PoppedUp = Pick<Item, 'kind' | 'title' | 'body' | 'answers' | 'sender' | 'isManual' | 'mustConfirm'> &
  Pick<Item, 'remindsNo' | 'correctedAt' | 'correctedBy' | 'href'> & { picture: object | string | null };

export function PopUpHeading({ item }: { item: PoppedUp }) {
  return (
    <>
      <KindIcon kind={item.kind} />
      <Text component="span" dir="auto" fw={600} size="sm" lineClamp={2} className="wrapping" data-text>
        <ReminderMark item={item} />
        <span>
          <MarkedText text={item.title} />
        </span>
        <CorrectedMark item={item} />
      </Text>
    </>
  );
}

// `button` draws the buttons that confirm or answer; `isSeen`: all of the notification was shown here.
type BodyProps = { item: PoppedUp; hidden: boolean; linkBase: string | null; button: (isSeen: boolean) => ReactNode };

/** What a pop-up shows below its heading. A toast or an element with `data-preview` is around both. */
export function PopUpContent({ item, hidden, linkBase, button }: BodyProps) {
  const t = useTranslations();
  const place = useRef<HTMLDivElement>(null);
  // Nobody confirms what was not shown: a hidden or missing text, one that is cut off, or a picture is opened first.
  const isWhole = useIsWhole(
    () => place.current?.closest('[data-sonner-toast], [data-preview]')?.querySelectorAll('[data-text]') ?? [],
    `${item.title}\n${item.body}`,
  );
  return (
    <div ref={place}>
      {hidden ? (
        <Text size="sm" c="dimmed" m={0} mt={2}>
          <EyeOff size={14} /> {t('inbox.hidden')}
        </Text>
      ) : (
        <Text component="p" dir="auto" size="sm" m={0} mt={2} className="multiline wrapping" lineClamp={4} data-text>
          <MarkedText text={item.body} />
        </Text>
      )}
      {(item.mustConfirm || item.answers) && button(isWhole && !hidden && !item.picture && item.body !== '')}
      <Text size="xs" c="dimmed" mt={4}>
        <PictureMark item={item} named />
        {t(`inbox.kind.${item.kind}`)} ·{' '}
        <bdi>{t(item.isManual ? 'bell.fromPerson' : 'bell.from', { sender: item.sender })}</bdi>
        <OpensAt item={item} linkBase={linkBase} />
      </Text>
    </div>
  );
}
