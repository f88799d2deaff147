import { Skeleton, Stack } from '@mantine/core';

/** The place of the list while it is read, in its final shape. */
export default function Loading() {
  return (
    <Stack gap="xs" aria-hidden>
      <Skeleton height={36} width={220} mb="md" />
      <Skeleton height={44} mb="md" />
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: six equal places
        <Skeleton key={index} height={104} radius="md" />
      ))}
    </Stack>
  );
}
