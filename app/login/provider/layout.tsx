export { Kit as default } from '#app/theme/kit.tsx';
