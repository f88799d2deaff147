// In a route group, because with it the pages below would stream and could not answer 404.
export { ListPlace as default } from '#app/ui/lists/list-parts.tsx';
