import { Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Moment } from '#app/ui/text/moment.tsx';
import type { Manager } from '#server/principals.ts';
import { listCorrections, type SendDetails } from '#server/sends/details.ts';

/** Shows the time of a correction, the person who made it and the former text, if there is one. */
export async function Corrections({ manager, send }: { manager: Manager; send: SendDetails }) {
  if (send.correctedAt === null) return null;
  const [t, corrections] = await Promise.all([getTranslations('sends'), listCorrections(manager, send)]);
  return (
    <div data-corrections={corrections.length}>
      <Text size="sm" c="dimmed">
        {t('corrected')} <Moment at={send.correctedAt} />
      </Text>
      {corrections.map(({ at, by, title, body }) => (
        <details key={at.toISOString()} className="technical">
          <summary>{t('formerText')}</summary>
          <Text fw={600} dir="auto" className="wrapping">
            {title}
          </Text>
          <p className="multiline send-body" dir="auto">
            {body}
          </p>
          <Text size="sm" c="dimmed">
            <bdi>{t('correctedBy', { name: by })}</bdi> · <Moment at={at} />
          </Text>
        </details>
      ))}
    </div>
  );
}
