import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The place of the form while it is fetched. */
export default function Loading() {
  return <ListPlace rows={2} height={150} />;
}
