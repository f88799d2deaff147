import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the list loads. */
export default function Loading() {
  return <ListPlace filters={4} rows={8} height={60} />;
}
