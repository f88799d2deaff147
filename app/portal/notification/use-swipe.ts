import { type PointerEvent, useRef } from 'react';

const slopPx = 12;
const swipePx = 88;

/** Moves a row with a finger that swipes sideways, and tells to which side it was swiped. */
export function useSwipe(onSwipe: (row: HTMLElement, to: 'left' | 'right') => void) {
  const startX = useRef<number | null>(null);
  const distance = ({ clientX }: PointerEvent) => clientX - (startX.current ?? clientX);
  const end = (event: PointerEvent<HTMLElement>) => {
    const row = event.currentTarget;
    const moved = distance(event);
    startX.current = null;
    delete row.dataset.swipe;
    if (event.type === 'pointerup' && Math.abs(moved) >= swipePx) onSwipe(row, moved < 0 ? 'left' : 'right');
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'touch') startX.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const moved = distance(event);
      if (Math.abs(moved) < slopPx) return;
      event.currentTarget.dataset.swipe = moved < 0 ? 'left' : 'right';
      event.currentTarget.style.setProperty('--swipe', `${moved}px`);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
