export { default } from '#app/owner/[...unknown]/page.tsx';
