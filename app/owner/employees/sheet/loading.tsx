import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the list of employees loads. */
export default function Loading() {
  return <ListPlace filters={3} rows={8} height={60} />;
}
