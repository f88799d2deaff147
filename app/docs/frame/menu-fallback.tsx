'use client';

import { useEffect } from 'react';

/**
 * Opens the menu of a narrow screen in browsers without `popover`: Safari before 17, Firefox before
 * 125, Chrome before 114. The menu closes at the next click or at Escape.
 */
export function MenuFallback() {
  useEffect(() => {
    if ('popover' in HTMLElement.prototype) return;
    const menu = document.getElementById('docs-menu');
    const button = document.querySelector('.docs-menu-button');
    const clicked = ({ target }: MouseEvent) => {
      if (target instanceof Node && button?.contains(target)) menu?.toggleAttribute('data-open');
      else if (target instanceof Node && !menu?.contains(target)) menu?.removeAttribute('data-open');
    };
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') menu?.removeAttribute('data-open');
    };
    document.addEventListener('click', clicked);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('click', clicked);
      document.removeEventListener('keydown', pressed);
    };
  }, []);
  return null;
}
