import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One entry of a `dl` of class `facts`: a name and its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} className="wrapping">
        {children}
      </Text>
    </div>
  );
}
