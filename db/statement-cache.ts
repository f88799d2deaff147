import { dialect, runText, type Sql, type Transaction, withoutGaps } from '#db/client.ts';
import { is, Placeholder, type SQL, sql } from '#db/drizzle.cjs';

/** A value of a statement, or its placeholder in a text that is kept. */
export type Value = number | Placeholder;

type Parameter = number | string | null;

// A shape decides which parts a statement has. Text from outside would be cached as a constant.
type Closed<Shape> = { [Name in keyof Shape]: string extends Shape[Name] ? never : Shape[Name] };

/**
 * Returns a function that runs the statement of `build`. `build` runs once for each `shape` and set
 * of names of values, because drizzle writes the text of an inbox in 1 ms of CPU. It gets placeholders
 * in place of the values, so it decides by `shape` only. Whole numbers become a part of the text.
 */
export function cacheStatement<
  Values extends Partial<Record<string, Parameter | Parameter[]>>,
  Row extends object,
  Shape extends Closed<Shape> | null = null,
>(build: (values: { [Name in keyof Values]: Placeholder }, shape: Shape) => SQL) {
  const cached = new Map<string, { text: string; names: string[] }>();
  return async (on: Sql | Transaction, values: Values, shape: Shape): Promise<Row[]> => {
    const key = JSON.stringify([Object.keys(values), shape]);
    let statement = cached.get(key);
    if (!statement) {
      const placeholders = Object.keys(values).map((name) => [name, sql.placeholder(name)]);
      statement = asCached(build(Object.fromEntries(placeholders), shape));
      cached.set(key, statement);
    }
    const parameters = statement.names.map((name) => values[name]);
    return withoutGaps<Row>(await runText<Row>(on, statement.text, parameters));
  };
}

// drizzle makes a parameter of each use of a value. One for each name tells PostgreSQL which values are equal.
function asCached(statement: SQL) {
  const { sql: query, params } = dialect.sqlToQuery(statement);
  const names: string[] = [];
  const text = query.replace(/\$(\d+)/g, (_, place) => {
    const value = params[Number(place) - 1];
    if (Number.isSafeInteger(value)) return Number(value) < 0 ? `(${value})` : String(value);
    if (!is(value, Placeholder))
      throw new Error(`a ${typeof value} cannot be a part of a cached statement; make it a placeholder`);
    if (!names.includes(value.name)) names.push(value.name);
    return `$${names.indexOf(value.name) + 1}`;
  });
  return { text, names };
}
