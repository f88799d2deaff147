import type { Sql } from '#db/driver/connect.ts';

// A statement or a part of one: its constant parts, and the values between them.
type Template = { parts: string[]; values: unknown[] };

const templates = new WeakMap<object, Template>();

const companyParameter =
  /(?:\bcompany_id\s*=\s*|\b(?:c|companies)\.id\s*=\s*|\bfrom\s+companies\s+where\s+id\s*=\s*|\bupdate\s+companies\s+set\s[^;]*?\bwhere\s+id\s*=\s*|\binsert\s+into\s+\w+(?:\s+as\s+\w+)?\s*\(\s*company_id\b[^)]*\)\s*(?:values\s*\(|select)\s*)\$(\d+)|\$(\d+)::int\s+as\s+company_id\b/;

/**
 * The number of a parameter (`$1` is 1) that is the company of a statement; null when it names none.
 * `e2e/structure/companies.test.ts` proves with PostgreSQL's parser that it is for each statement.
 */
export function findCompanyParameter(text: string): number | null {
  const [, before, after] = companyParameter.exec(text) ?? [];
  const number = before ?? after;
  return number === undefined ? null : Number(number);
}

/** `serverOf` is the server of a company, `named` that of statements that name no company. */
export type Routing = {
  poolOf: (server: number) => Sql;
  serverOf: (companyId: number) => number;
  named: () => number | undefined;
};

/**
 * Returns what runs each statement in the pool of its server: that of the company which it names,
 * otherwise `named`. A statement without a server throws when it is run. Transactions are not
 * routed: they begin in the pool of a server.
 */
export function routeStatements({ poolOf, serverOf, named }: Routing): Sql {
  const run = (strings: unknown, ...values: unknown[]) => {
    if (!isTemplate(strings)) return Reflect.apply(poolOf(0), undefined, [strings, ...values]);
    const template = flatten(strings, values);
    const companyId = findCompany(template);
    const server = companyId === null ? named() : serverOf(companyId);
    const made: object = Reflect.apply(poolOf(server ?? 0), undefined, [strings, ...values]);
    templates.set(made, template);
    const refuse = (_: unknown, reject: (error: Error) => void) =>
      reject(new Error(`no company names the server of: ${strings[0]?.trim().slice(0, 100)}`));
    // A part of a statement never runs.
    if (server === undefined) Reflect.set(made, 'then', refuse);
    return made;
  };
  const begin = () => {
    throw new Error('a transaction begins in the pool of a server');
  };
  // A ready text is not searched for its company. It runs on the server that `named` returns.
  const unsafe: Sql['unsafe'] = (text, ...rest) => {
    const server = named();
    if (server === undefined) throw new Error(`nothing names the server of: ${text.trim().slice(0, 100)}`);
    return poolOf(server).unsafe(text, ...rest);
  };
  const own: Record<string | symbol, unknown> = { begin, unsafe };
  return new Proxy(poolOf(0), {
    apply: (_, __, args) => run(...(args as [unknown])),
    get: (target, name) => own[name] ?? Reflect.get(target, name),
  });
}

const isTemplate = (value: unknown): value is string[] => Array.isArray(value) && 'raw' in value;

// Puts the parts of a statement together, so that one text names the company.
function flatten(strings: readonly string[], values: unknown[]): Template {
  const whole: Template = { parts: [strings[0] ?? ''], values: [] };
  const append = (text: string) => whole.parts.push((whole.parts.pop() ?? '') + text);
  for (const [at, value] of values.entries()) {
    const part = typeof value === 'object' && value !== null ? templates.get(value) : undefined;
    if (part) {
      append(part.parts[0] ?? '');
      whole.values.push(...part.values);
      whole.parts.push(...part.parts.slice(1));
    } else {
      whole.values.push(value);
      whole.parts.push('');
    }
    append(strings[at + 1] ?? '');
  }
  return whole;
}

function findCompany({ parts, values }: Template): number | null {
  const number = findCompanyParameter(parts.reduce((text, part, at) => `${text}$${at}${part}`));
  const company = number === null ? null : values[number - 1];
  return typeof company === 'number' ? company : null;
}
