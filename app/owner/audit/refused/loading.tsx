import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the refused calls load. */
export default function Loading() {
  return <ListPlace filters={1} rows={12} height={46} />;
}
