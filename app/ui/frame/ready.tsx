'use client';

import { useEffect } from 'react';

/** Marks the document when its buttons respond: clicks before are lost, so tests wait for it. */
export function Ready() {
  useEffect(() => {
    document.documentElement.dataset.ready = 'true';
  }, []);
  return null;
}
