export { default, generateMetadata } from '#app/owner/sends/templates/[id]/page.tsx';
