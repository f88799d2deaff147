import { notFound } from 'next/navigation';

/** An address that the area does not have: the page of `not-found.tsx`, within the frame. */
export default function UnknownAddress() {
  notFound();
}
