import { childEnv } from '#platform/config/processes.ts';

/** The file of a build with the SHA-256 of its sources, hex. */
export const stampFile = 'built-from';

export const asBuildId = (sourcesHash: string): string => sourcesHash.slice(0, 20);

/** The folder of a new build, before it replaces `.next`. */
export const buildFolder = '.next-new';

/**
 * The salt of the ids of form actions, so that every build, also of another version, gives an action the same id. Next
 * also encrypts with it what an action closes over. No action closes over anything, so it is no secret.
 */
export const actionsKey = Buffer.from('staff-notification: action ids 1').toString('base64');

export function buildEnv(id: string): NodeJS.ProcessEnv {
  return childEnv({
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: actionsKey,
    // The bundler's allocator gives memory back at once: a tenth less memory.
    MIMALLOC_PURGE_DELAY: '0',
    MIMALLOC_ABANDONED_PAGE_PURGE: '1',
    // Threads of the bundler. The default is one for each core, and each takes memory.
    TOKIO_WORKER_THREADS: '2',
    BUILD_FOLDER: buildFolder,
    BUILD_ID: id,
  });
}

/** The id that the build was given, or null, so that Next makes one. */
export const givenBuildId = (): string | null => process.env.BUILD_ID || null;

/** The folder in which Next builds and finds the pages: `.next`, or `buildFolder` in a build. */
export const pagesFolder = (): string => process.env.BUILD_FOLDER ?? '.next';

/** Whether `next dev` serves the pages: its tools need a less strict Content-Security-Policy. */
export const isDevelopment = (): boolean => process.env.NODE_ENV === 'development';
