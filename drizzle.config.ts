/** Settings of drizzle-kit. `npx drizzle-kit studio` shows the rows of the database at DATABASE_URL. */
export default {
  dialect: 'postgresql',
  schema: './db/schema/tables.ts',
  // biome-ignore lint/style/noProcessEnv: drizzle-kit loads no setting of the service
  dbCredentials: { url: process.env.DATABASE_URL },
};
