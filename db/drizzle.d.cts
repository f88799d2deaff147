export * from 'drizzle-orm';
export * from 'drizzle-orm/pg-core';
export { drizzle } from 'drizzle-orm/pg-proxy';
export type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
