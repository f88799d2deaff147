// drizzle, loaded by `require`: 0.05 s and 20 MB at a start. Its ES modules take 0.5 s and 250 MB.
const { PgPreparedQuery } = require('drizzle-orm/pg-core');

// drizzle's own error carries all parameters: a log line would have password hashes and texts. This is the driver's.
PgPreparedQuery.prototype.queryWithCache = (_text, _parameters, run) => run();

module.exports = {
  ...require('drizzle-orm'),
  ...require('drizzle-orm/pg-core'),
  ...require('drizzle-orm/pg-proxy'),
};
