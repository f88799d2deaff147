import { Group, Skeleton, Stack } from '@mantine/core';

/** The placeholder of a list while it loads, in its final shape. `height` is that of a row (px). */
export function ListPlace({ filters = 1, rows = 12, height = 46 }) {
  return (
    <Stack gap="sm" aria-hidden>
      <Skeleton height={36} width={200} />
      <Skeleton height={24} maw={560} mb="md" />
      {filters > 0 && (
        <Group gap="sm">
          {places(filters).map((place) => (
            <Skeleton key={place} height={70} maw={200} />
          ))}
        </Group>
      )}
      <RowsPlace rows={rows} height={height} />
    </Stack>
  );
}

export function RowsPlace({ rows, height }: { rows: number; height: number }) {
  return (
    <Stack gap="sm" aria-hidden>
      {places(rows).map((place) => (
        <Skeleton key={place} height={height} radius="md" />
      ))}
    </Stack>
  );
}

const places = (count: number): number[] => Array.from({ length: count }, (_, place) => place);
