import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The place of the preview while its rows are checked. */
export default function Loading() {
  return <ListPlace filters={2} rows={8} height={60} />;
}
