import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The place of the keys while they are read. */
export default function Loading() {
  return <ListPlace height={84} />;
}
