import { ListPlace } from '#app/ui/lists/list-place.tsx';

export default () => <ListPlace rows={6} height={60} />;
