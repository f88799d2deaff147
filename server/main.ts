import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from '#server/compile-cache.ts';

// Before the rest is loaded: loading takes most of the time of a start.
enableCompileCache(compileCacheFolder);
await import('#server/runtime/start.ts');
