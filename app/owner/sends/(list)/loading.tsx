// In a route group: outside of it, all pages below `/owner/sends` would stream and could not answer 404.
export { ListPlace as default } from '#app/ui/lists/list-place.tsx';
