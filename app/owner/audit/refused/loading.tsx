import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The place of the refused calls while they are read. */
export default function Loading() {
  return <ListPlace filters={4} height={84} />;
}
