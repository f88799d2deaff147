import { titled } from '#app/ui/text/texts.tsx';

export { default } from '#app/owner/sends/templates/[id]/page.tsx';
export const generateMetadata = titled('templates', 'new');
