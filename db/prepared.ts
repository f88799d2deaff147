import { areStatementsPrepared, type Fragment, type Sql, type Transaction } from '#db/client.ts';
import { makeText, type StatementText } from '#db/driver/statement-text.ts';

type Parameter = number | string | null;

/** A value of a statement, or its placeholder in a text that is made once. */
export type Value = Parameter | Parameter[] | Fragment;

/**
 * Returns a function that runs the statement that `build` puts together. `build` runs once for each
 * `shape` and set of names of values, because putting a hundred parts together costs more CPU than
 * all else in the driver. It gets placeholders in place of the values, so it decides by `shape` only.
 */
export function prepareStatement<Values extends object, Shape, Row extends object>(
  build: (values: Values, shape: Shape) => Fragment,
) {
  const made = new Map<string, StatementText>();
  return async (pool: Sql | Transaction, values: Values, shape: Shape): Promise<Row[]> => {
    const key = JSON.stringify([Object.keys(values), shape]);
    const known = made.get(key);
    const { text, names } =
      known ?? makeText(Object.keys(values), (placeholders) => build(placeholders as Values, shape));
    if (!known) made.set(key, { text, names });
    const parameters = names.map((name) => values[name as keyof Values]);
    return pool.unsafe<Row[]>(text, parameters as never[], { prepare: areStatementsPrepared() });
  };
}
