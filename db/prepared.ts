import { areStatementsPrepared, type Fragment, type Sql, type Transaction } from '#db/client.ts';
import { makeText, type StatementText } from '#db/driver/statement-text.ts';

type Parameter = number | string | null;

/** A value of a statement, or its placeholder in a text that is made once. */
export type Value = Parameter | Parameter[] | Fragment;

/**
 * Returns what runs the statement that `build` puts together. Its text is made once for each `shape`
 * and set of names: from a hundred parts that takes longer than its run. So `build` gets a
 * placeholder for each value; what it decides by is in `shape`.
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
