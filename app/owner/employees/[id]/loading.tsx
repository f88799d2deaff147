import { Skeleton, Stack } from '@mantine/core';

/** The place of an employee's page while it is read. */
export default function Loading() {
  return (
    <Stack gap="md" aria-hidden>
      <Skeleton height={44} width={120} />
      <Skeleton height={36} maw={320} />
      <Skeleton height={44} maw={520} />
      <Skeleton height={210} radius="md" />
      <Skeleton height={130} radius="md" />
      <Skeleton height={170} radius="md" />
    </Stack>
  );
}
