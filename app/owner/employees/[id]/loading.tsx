import { ListPlace } from '#app/ui/lists/list-place.tsx';

/** The place of an employee’s page while it is read. */
export default function Loading() {
  return <ListPlace rows={3} height={170} />;
}
