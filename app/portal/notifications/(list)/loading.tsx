import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the list loads. */
export default function Loading() {
  return <ListPlace filters={2} rows={6} height={64} />;
}
