import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the form loads. */
export default function Loading() {
  return <ListPlace rows={2} height={150} />;
}
