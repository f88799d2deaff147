import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';
import { isTree, type Tree } from '#e2e/structure/sql-templates.ts';

await loadModule();

export type Tables = Record<string, string[]>;

export function isStatement(text: string): boolean {
  try {
    return parseSync(text) !== null;
  } catch {
    return false;
  }
}

/** A use of a table, or a column that carries a company. It is bound as `same` is, or as all of `needs` are. */
type Place = { table?: string; bound: boolean; same?: Place; needs?: Place[] };

/** A table, a part of the statement or a function in FROM, with the places of its columns. */
type Source = { alias: string; columns: Map<string, Place>; names: string[] };
type Scope = { sources: Source[]; parts: Map<string, Source>; outer?: Scope };

/** Lists the tables of which a statement may touch rows of several companies, by PostgreSQL's own parser. */
export function tablesAcrossCompanies(text: string, tables: Tables): string[] {
  const { stmts = [] } = parseSync(text) as unknown as { stmts?: { stmt: Tree }[] };
  const reader = new Reader(tables);
  for (const { stmt } of stmts) reader.read(stmt, { sources: [], parts: new Map() });
  return reader.unbound();
}

/** The statements of a function in PL/pgSQL. Its variables, whose names begin with `_`, are parameters. */
export function listStatementsOf(definition: string): string[] {
  const texts: string[] = [];
  JSON.stringify(parsePlPgSQLSync(definition), (name, value) => {
    if (name === 'PLpgSQL_expr') texts.push(String(value.query));
    return value;
  });
  return texts.flatMap((text) => {
    const value = text.replace(/^_\w+ := /, '').replace(/\b_\w+(\.\w+)?/g, () => '$1');
    if (/^(select|insert|update|delete)\b/.test(value)) return [value];
    return /\bselect\b/.test(value) ? [`select ${value}`] : [];
  });
}

const listOf = (value: unknown): Tree[] => (Array.isArray(value) ? value.filter(isTree) : []);
const treeOf = (value: unknown): Tree => (isTree(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const nameOf = (node: Tree): string => textOf(treeOf(node.String).sval);

const companyColumn = (table: string): string => (table === 'companies' ? 'id' : 'company_id');

class Reader {
  readonly #tables: Tables;
  readonly #uses: Place[] = [];

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  unbound(): string[] {
    const open = this.#uses.filter((use) => !isBound(use)).map(({ table }) => table ?? '');
    return [...new Set(open)].sort();
  }

  /** Reads a statement of any kind and returns its output columns. */
  read(statement: Tree, outer: Scope): Source {
    const [kind = '', body] = Object.entries(statement)[0] ?? [];
    const node = treeOf(body);
    const scope: Scope = { sources: [], parts: new Map(), outer };
    for (const cte of listOf(treeOf(node.withClause).ctes)) {
      const part = treeOf(cte.CommonTableExpr);
      const names = listOf(part.aliascolnames).map(nameOf);
      const alias = textOf(part.ctename);
      scope.parts.set(alias, renamed(this.read(treeOf(part.ctequery), scope), alias, names));
    }
    if (kind === 'SelectStmt') return this.#select(node, scope);
    if (kind === 'InsertStmt') return this.#insert(node, scope);
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return this.#change(node, scope);
    this.#look(node, scope);
    return { alias: '', columns: new Map(), names: [] };
  }

  #select(node: Tree, scope: Scope): Source {
    if (node.larg && node.rarg)
      return united([node.larg, node.rarg].map((side) => this.read({ SelectStmt: side }, scope)));
    for (const from of listOf(node.fromClause)) this.#from(from, scope);
    this.#condition(node.whereClause, scope);
    const { fromClause, whereClause, targetList, withClause, ...rest } = node;
    this.#look(rest, scope);
    return this.#outputs(targetList, scope);
  }

  #insert(node: Tree, scope: Scope): Source {
    const target = this.#table(treeOf(node.relation));
    const column = companyColumn(textOf(treeOf(node.relation).relname));
    const place = target?.columns.get(column);
    const at = listOf(node.cols).findIndex((one) => treeOf(one.ResTarget).name === column);
    const source = treeOf(treeOf(node.selectStmt).SelectStmt);
    const rows = listOf(source.valuesLists);
    if (rows.length > 0) {
      this.#look(rows, scope);
      const values = rows.map((row) => listOf(treeOf(row.List).items)[at]);
      if (place && at >= 0 && values.length === 1) this.#unite(place, values[0], scope);
    } else if (node.selectStmt) {
      const output = this.read(treeOf(node.selectStmt), scope);
      const value = output.columns.get(output.names[at] ?? '');
      if (place && at >= 0 && value) unite(place, value);
    }
    if (target) scope.sources.push(target);
    this.#look(node.onConflictClause, scope);
    return this.#outputs(treeOf(node.returningClause).exprs, scope);
  }

  #change(node: Tree, scope: Scope): Source {
    const target = this.#table(treeOf(node.relation));
    if (target) scope.sources.push(target);
    for (const from of [...listOf(node.fromClause), ...listOf(node.usingClause)]) this.#from(from, scope);
    this.#condition(node.whereClause, scope);
    this.#look(node.targetList, scope);
    return this.#outputs(treeOf(node.returningClause).exprs, scope);
  }

  // A use of a table of the schema; undefined for a table of PostgreSQL's own.
  #table(relation: Tree): Source | undefined {
    const table = textOf(relation.relname);
    const names = this.#tables[table];
    if (!names) return undefined;
    const place: Place = { table, bound: false };
    this.#uses.push(place);
    const company = companyColumn(table);
    const columns = new Map(names.includes(company) ? [[company, place]] : []);
    return { alias: textOf(treeOf(relation.alias).aliasname) || table, columns, names };
  }

  #from(node: Tree, scope: Scope): void {
    const { RangeVar: table, JoinExpr: join, RangeSubselect: part, RangeFunction: call } = node;
    if (isTree(table)) {
      const cte = findPart(textOf(table.relname), scope);
      const alias = textOf(treeOf(table.alias).aliasname);
      const source = cte ? { ...cte, alias: alias || cte.alias } : this.#table(table);
      if (source) scope.sources.push(source);
    } else if (isTree(join)) {
      this.#join(join, scope);
    } else if (isTree(part)) {
      const { aliasname, colnames } = treeOf(part.alias);
      const output = this.read(treeOf(part.subquery), scope);
      scope.sources.push(renamed(output, textOf(aliasname), listOf(colnames).map(nameOf)));
    } else if (isTree(call)) {
      this.#look(call.functions, scope);
      const { aliasname, colnames } = treeOf(call.alias);
      const defined = listOf(call.coldeflist).map((one) => textOf(treeOf(one.ColumnDef).colname));
      const names = [...listOf(colnames).map(nameOf), ...defined];
      const columns = new Map(names.map((name) => [name, { bound: false }]));
      scope.sources.push({ alias: textOf(aliasname), columns, names });
    }
  }

  #join(join: Tree, scope: Scope): void {
    const before = scope.sources.length;
    this.#from(treeOf(join.larg), scope);
    this.#from(treeOf(join.rarg), scope);
    this.#condition(join.quals, scope);
    for (const name of listOf(join.usingClause).map(nameOf)) {
      const [first, ...others] = scope.sources.slice(before).flatMap(({ columns }) => columns.get(name) ?? []);
      if (first) for (const other of others) unite(first, other);
    }
  }

  // Conditions that all must hold.
  #condition(node: unknown, scope: Scope): void {
    const { BoolExpr: both, A_Expr: comparison, SubLink: link } = treeOf(node);
    if (isTree(both) && both.boolop === 'AND_EXPR') {
      for (const one of listOf(both.args)) this.#condition(one, scope);
      return;
    }
    if (isTree(comparison) && comparison.kind === 'AEXPR_OP' && listOf(comparison.name).map(nameOf)[0] === '=')
      this.#equality(treeOf(comparison.lexpr), treeOf(comparison.rexpr), scope);
    if (isTree(link) && link.subLinkType === 'ANY_SUBLINK') {
      const output = this.read(treeOf(link.subselect), scope);
      const left = treeOf(treeOf(link.testexpr).RowExpr).args ?? [link.testexpr];
      for (const [at, one] of listOf(left).entries()) {
        const value = output.columns.get(output.names[at] ?? '');
        const place = this.#place(one, scope);
        if (place && value) unite(place, value);
      }
      return;
    }
    this.#look(node, scope);
  }

  #equality(left: Tree, right: Tree, scope: Scope): void {
    const [lefts, rights] = [left, right].map((side) =>
      isTree(side.RowExpr) ? listOf(side.RowExpr.args) : [side],
    ) as [Tree[], Tree[]];
    for (const [at, one] of lefts.entries()) {
      const other = rights[at];
      if (!other) continue;
      const place = this.#place(one, scope);
      if (place) this.#unite(place, other, scope);
      else {
        const reverse = this.#place(other, scope);
        if (reverse) this.#unite(reverse, one, scope);
      }
    }
  }

  #unite(place: Place, value: unknown, scope: Scope): void {
    if (isGiven(value)) unite(place, { bound: true });
    const other = this.#place(value, scope);
    if (other) unite(place, other);
  }

  // The place that an expression stands for: a column, or a subselect of one.
  #place(node: unknown, scope: Scope): Place | undefined {
    const { ColumnRef: column, SubLink: link, TypeCast: cast, FuncCall: call } = treeOf(node);
    if (isTree(cast)) return this.#place(cast.arg, scope);
    // `min` and `max` of one company's numbers are that company.
    if (isTree(call) && ['min', 'max'].includes(listOf(call.funcname).map(nameOf)[0] ?? ''))
      return this.#place(listOf(call.args)[0], scope);
    if (isTree(link) && link.subLinkType === 'EXPR_SUBLINK') {
      const output = this.read(treeOf(link.subselect), scope);
      return output.columns.get(output.names[0] ?? '');
    }
    if (!isTree(column)) return undefined;
    const [first = '', second] = listOf(column.fields).map(nameOf);
    return second === undefined ? findColumn(first, scope) : findQualified(first, second, scope);
  }

  #outputs(list: unknown, scope: Scope): Source {
    const columns = new Map<string, Place>();
    const names: string[] = [];
    for (const [at, item] of listOf(list).entries()) {
      const { name, val } = treeOf(item.ResTarget);
      const fields = listOf(treeOf(treeOf(val).ColumnRef).fields);
      if (fields.some((field) => 'A_Star' in field)) {
        const alias = fields.length > 1 ? nameOf(fields[0] ?? {}) : undefined;
        for (const source of scope.sources.filter((one) => alias === undefined || one.alias === alias)) {
          names.push(...source.names);
          for (const [column, place] of source.columns) if (!columns.has(column)) columns.set(column, place);
        }
        continue;
      }
      const label = textOf(name) || nameOf(fields.at(-1) ?? {}) || `${at}`;
      names.push(label);
      const place = isGiven(val) ? { bound: true } : this.#place(val, scope);
      if (place) columns.set(label, place);
      else this.#look(val, scope);
    }
    return { alias: '', columns, names };
  }

  // Reads the subselects in any part of a statement.
  #look(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const one of node) this.#look(one, scope);
    if (!isTree(node) || Array.isArray(node)) return;
    for (const [kind, part] of Object.entries(node)) {
      if (kind === 'subselect') this.read(treeOf(part), scope);
      else this.#look(part, scope);
    }
  }
}

// Whether an expression is a parameter or a constant, with or without a type cast.
function isGiven(node: unknown): boolean {
  const { ParamRef: parameter, A_Const: constant, TypeCast: cast } = treeOf(node);
  if (isTree(cast)) return isGiven(cast.arg);
  return parameter !== undefined || constant !== undefined;
}

function findPart(name: string, scope: Scope): Source | undefined {
  return scope.parts.get(name) ?? (scope.outer && findPart(name, scope.outer));
}

function findColumn(name: string, scope: Scope): Place | undefined {
  const having = scope.sources.filter(({ names }) => names.includes(name));
  if (having.length === 0) return scope.outer && findColumn(name, scope.outer);
  return having.flatMap(({ columns }) => columns.get(name) ?? [])[0];
}

function findQualified(alias: string, name: string, scope: Scope): Place | undefined {
  const source = scope.sources.find((one) => one.alias === alias);
  if (!source) return scope.outer && findQualified(alias, name, scope.outer);
  return source.columns.get(name);
}

function renamed({ columns, names }: Source, alias: string, to: string[]): Source {
  if (to.length === 0) return { alias, columns, names };
  const pairs = to.flatMap((name, at) => {
    const place = columns.get(names[at] ?? '');
    return place ? [[name, place] as const] : [];
  });
  return { alias, columns: new Map(pairs), names: to };
}

function united(parts: Source[]): Source {
  const [first] = parts;
  const columns = new Map<string, Place>();
  for (const [at, name] of (first?.names ?? []).entries()) {
    const places = parts.map((part) => part.columns.get(part.names[at] ?? ''));
    if (places.every((place) => place !== undefined)) columns.set(name, { bound: false, needs: places });
  }
  return { alias: '', columns, names: first?.names ?? [] };
}

function rootOf(place: Place): Place {
  return place.same ? rootOf(place.same) : place;
}

function unite(one: Place, other: Place): void {
  const [first, second] = [rootOf(one), rootOf(other)];
  if (first === second) return;
  second.same = first;
  first.bound ||= second.bound;
  if (second.needs && !first.needs) first.needs = second.needs;
}

function isBound(place: Place): boolean {
  const root = rootOf(place);
  return root.bound || (root.needs?.every(isBound) ?? false);
}
