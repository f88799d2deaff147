import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The place of the list while it is read. */
export default function Loading() {
  return <ListPlace filters={2} height={104} />;
}
