import { Skeleton, Stack } from '@mantine/core';

export default function LoadingRefusals() {
  return (
    <Stack aria-hidden>
      <Skeleton h={36} w={260} />
      <Skeleton h={24} maw={620} />
      <Skeleton h={44} w={320} />
      <Skeleton h={72} />
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} h={84} />
      ))}
    </Stack>
  );
}
