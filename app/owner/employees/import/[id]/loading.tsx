import { ListPlace } from '#app/ui/lists/list-place.tsx';

export default () => <ListPlace filters={2} rows={8} height={60} />;
