/** Settings of drizzle-kit, which `npm run db:generate` fetches to write a migration from the schema. */
export default {
  dialect: 'postgresql',
  schema: './db/schema/*.ts',
  out: './db/migrations',
  casing: 'snake_case',
};
