import { Skeleton, Stack } from '@mantine/core';

/** The place of the list while it is read, in its final shape. In a group of its own: what is not there must be a 404 below. */
export default function Loading() {
  return (
    <Stack gap="sm" aria-hidden>
      <Skeleton height={36} width={180} />
      <Skeleton height={24} width="70%" mb="md" />
      <Skeleton height={64} mb="md" />
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: six equal places
        <Skeleton key={index} height={76} />
      ))}
    </Stack>
  );
}
