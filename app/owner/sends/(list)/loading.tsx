import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The place of the list while it is read. In a group of its own: what is not there must be a 404 below. */
export default function Loading() {
  return <ListPlace filters={5} height={76} />;
}
