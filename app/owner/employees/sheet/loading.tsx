import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The place of the people to choose from while they are read. */
export default function Loading() {
  return <ListPlace filters={3} rows={8} height={60} />;
}
