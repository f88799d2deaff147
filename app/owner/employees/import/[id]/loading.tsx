import { Skeleton, Stack } from '@mantine/core';

/** The place of the preview while its rows are checked. */
export default function Loading() {
  return (
    <Stack gap="md" aria-hidden>
      <Skeleton height={44} width={120} />
      <Skeleton height={36} width={260} />
      <Skeleton height={24} maw={520} />
      <Skeleton height={260} />
      <Skeleton height={70} maw={420} />
    </Stack>
  );
}
