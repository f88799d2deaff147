import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the rows of the preview are checked. */
export default function Loading() {
  return <ListPlace filters={2} rows={8} height={60} />;
}
