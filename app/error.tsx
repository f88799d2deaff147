'use client';

import { PageError } from '#app/ui/frame/page-error.tsx';

export default function RootError(props: Parameters<typeof PageError>[0]) {
  return (
    <main className="lone-page">
      <PageError {...props} />
    </main>
  );
}
