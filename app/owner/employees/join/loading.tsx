import { ListPlace } from '#app/ui/lists/list-parts.tsx';

export default () => <ListPlace rows={6} height={60} />;
