export { ListPlace as default } from '#app/ui/lists/list-place.tsx';
