import { ListPlace } from '#app/ui/lists/list-place.tsx';

export default () => <ListPlace filters={3} rows={8} height={60} />;
