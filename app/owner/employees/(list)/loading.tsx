import { Group, Skeleton, Stack } from '@mantine/core';

/** The place of the list while it is read, in its final shape. */
export default function Loading() {
  return (
    <Stack gap="sm" aria-hidden>
      <Skeleton height={36} width={200} />
      <Skeleton height={24} maw={560} mb="md" />
      <Group gap="sm">
        <Skeleton height={70} maw={320} />
        <Skeleton height={70} maw={160} />
        <Skeleton height={70} maw={160} />
      </Group>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: eight equal places
        <Skeleton key={index} height={60} radius="md" />
      ))}
    </Stack>
  );
}
