import { Skeleton, Stack } from '@mantine/core';

export default function LoadingKeys() {
  return (
    <Stack aria-hidden>
      <Skeleton h={36} w={180} />
      <Skeleton h={24} maw={620} />
      <Skeleton h={44} w={200} />
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} h={84} />
      ))}
    </Stack>
  );
}
