import { Stack, Text } from '@mantine/core';
import { useTimeZone, useTranslations } from 'next-intl';
import { isoDayOf } from '#app/ui/lists/days.ts';
import { useExactTime } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { timeOfRequest } from '#server/request-id.ts';

/** Says when the request of an id was made; shown when no refused call has this id. */
export function RequestNote({ requestId, path, days }: { requestId: string; path: string; days: number }) {
  const t = useTranslations('refusals');
  const filter = useTranslations('filter');
  const made = timeOfRequest(requestId);
  const { date, full } = useExactTime(new Date(made ?? 0));
  const timeZone = useTimeZone();
  if (made === null) return <Text c="dimmed">{filter('nothing')}</Text>;
  const day = isoDayOf(date, timeZone ?? 'Asia/Jakarta');
  return (
    <Stack gap={0} align="flex-start">
      <Text>{t('requestMade', { when: full, days })}</Text>
      <TextLink href={`${path}?from=${day}&to=${day}`}>{t('sameDay')}</TextLink>
    </Stack>
  );
}
