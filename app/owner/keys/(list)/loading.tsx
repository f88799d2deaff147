import { ListPlace } from '#app/ui/lists/list-place.tsx';

export default () => <ListPlace filters={0} rows={6} height={84} />;
