'use client';

import { useEffect } from 'react';

/**
 * Says on the document that its buttons answer: what is pressed before is lost, so tests wait for
 * it.
 */
export function Ready() {
  useEffect(() => {
    document.documentElement.dataset.ready = 'true';
  }, []);
  return null;
}
