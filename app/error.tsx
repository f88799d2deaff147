'use client';

import { Container } from '@mantine/core';
import { PageError } from '#app/ui/page-error.tsx';

export default function RootError(props: Parameters<typeof PageError>[0]) {
  return (
    <Container size="xs" py={80} component="main">
      <PageError {...props} />
    </Container>
  );
}
