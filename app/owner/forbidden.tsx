import { NoPage } from '#app/ui/frame/no-page.tsx';

export default () => <NoPage reason="onlyOwners" />;
