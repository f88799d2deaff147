'use client';

export { PageError as default } from '#app/ui/page-error.tsx';
