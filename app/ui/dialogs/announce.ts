import { useSyncExternalStore } from 'react';

// One text for the page: code outside of React announces too.
let announced = '';
const subscribers = new Set<() => void>();
const subscribe = (subscriber: () => void) => {
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
};

/** Lets a screen reader read a text, politely. */
export function announce(text: string): void {
  // A screen reader reads only changed text, so a repeated text gets a trailing space.
  announced = announced === text ? `${text}\u00a0` : text;
  for (const subscriber of subscribers) subscriber();
}

/** The text that was announced last. */
export const useAnnounced = () =>
  useSyncExternalStore(
    subscribe,
    () => announced,
    () => '',
  );
