import { ListPlace } from '#app/ui/lists/list-place.tsx';

/**
 * The placeholder while the list loads. It is in a route group, because with it the pages below
 * would stream and could not answer 404.
 */
export default function Loading() {
  return <ListPlace filters={1} rows={12} height={46} />;
}
