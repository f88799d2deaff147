import { Stack, Text } from '@mantine/core';
import { useTimeZone, useTranslations } from 'next-intl';
import { useExactTime } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { timeOfRequest } from '#server/request-id.ts';

/** What a request id still says when no refusal has it: when it was made. */
export function RequestNote({ requestId, path, days }: { requestId: string; path: string; days: number }) {
  const t = useTranslations('refusals');
  const filter = useTranslations('filter');
  const made = timeOfRequest(requestId);
  const { date, full } = useExactTime(new Date(made ?? 0));
  const timeZone = useTimeZone();
  if (made === null) return <Text c="dimmed">{filter('nothing')}</Text>;
  // Swedes write a day as ISO 8601 does.
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(date);
  return (
    <Stack gap={0} align="flex-start">
      <Text>{t('requestMade', { when: full, days })}</Text>
      <TextLink href={`${path}?day=${day}`}>{t('sameDay')}</TextLink>
    </Stack>
  );
}
