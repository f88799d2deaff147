import { ListPlace } from '#app/ui/lists/list-place.tsx';

export default () => <ListPlace filters={2} rows={6} height={64} />;
