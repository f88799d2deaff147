import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The placeholder while the page of an employee loads. */
export default function Loading() {
  return <ListPlace rows={3} height={170} />;
}
