export { default } from '#app/owner/not-found.tsx';
