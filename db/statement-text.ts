import { areStatementsPrepared, type Fragment, type Sql, type Transaction } from '#db/client.ts';

type Parameter = number | string | null;

// A shape decides which parts a statement has. A free text would become a part of it.
type Closed<Shape> = { [Name in keyof Shape]: string extends Shape[Name] ? never : Shape[Name] };

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

// What the driver's query has before it runs: the parts of its text, and what stands between them.
type Parts = { strings: readonly string[]; args: readonly unknown[] };

// `names` gets the names of the placeholders in the order of their parameters.
function textOf(value: unknown, names: string[]): string {
  if (value instanceof Placeholder) {
    if (!names.includes(value.name)) names.push(value.name);
    return `$${names.indexOf(value.name) + 1}`;
  }
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value < 0 ? `(${value})` : String(value);
  if (typeof value !== 'object' || value === null || !('strings' in value))
    throw new Error(`a ${typeof value} cannot be a part of a cached statement; make it a placeholder`);
  const { strings, args } = value as Parts;
  return strings.reduce((text, part, index) => text + textOf(args[index - 1], names) + part);
}

/**
 * Returns a function that runs the statement that `build` puts together. `build` runs once for each
 * `shape` and set of names of values: the parts of an inbox cost the driver 0.2 ms of CPU each time.
 * It gets placeholders in place of the values, so it decides by `shape` only. Whole numbers between
 * its parts become a part of the text.
 */
export function cacheStatementText<
  Values extends Partial<Record<string, Parameter | Parameter[]>>,
  Row extends object,
  Shape extends Closed<Shape> | null = null,
>(build: (values: { [Name in keyof Values]: Fragment }, shape: Shape) => Fragment) {
  const cached = new Map<string, { text: string; names: string[] }>();
  return async (pool: Sql | Transaction, values: Values, shape: Shape): Promise<Row[]> => {
    const key = JSON.stringify([Object.keys(values), shape]);
    const { text, names } =
      cached.get(key) ?? makeText(Object.keys(values), (placeholders) => build(placeholders as never, shape));
    cached.set(key, { text, names });
    const parameters = names.map((name) => values[name]);
    return pool.unsafe<Row[]>(text, parameters as never[], { prepare: areStatementsPrepared() });
  };
}

function makeText(valueNames: string[], build: (placeholders: object) => Fragment) {
  const names: string[] = [];
  const placeholders = valueNames.map((name) => [name, new Placeholder(name)]);
  return { text: textOf(build(Object.fromEntries(placeholders)), names), names };
}
