'use client';

export { PageError as default } from '#app/ui/frame/page-error.tsx';
