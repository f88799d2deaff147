import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the requests to join load. */
export default function Loading() {
  return <ListPlace filters={1} rows={6} height={60} />;
}
