import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the keys load. */
export default function Loading() {
  return <ListPlace height={84} />;
}
