import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import type { TestProject } from 'vitest/node';
import { getTableConfig } from '#db/drizzle.cjs';
import * as tables from '#db/schema/tables.ts';
import { isStatement, type Tables, tablesAcrossCompanies } from '#e2e/structure/company-scope.ts';
import {
  beginsStatement,
  findDeclaration,
  findTemplate,
  listSqlTemplates,
  type SqlTemplate,
  withParameters,
} from '#e2e/structure/sql-templates.ts';
import { root } from '#e2e/support/service/service.ts';

/** Each function (`file#function`) that may cross companies, with the tables in which it does. */
export type Listed = Record<string, string[]>;

/** What the check needs: the templates of the service, the schema, and the list in docs/security.md. */
export type Statements = { templates: SqlTemplate[]; tables: Tables; listed: Listed };

declare module 'vitest' {
  interface ProvidedContext {
    statements: Statements;
  }
}

/** The global setup of unit tests: reads once what `record-statements.ts` compares statements with. */
export default function provideStatements({ provide }: TestProject): void {
  provide('statements', readStatements(root));
}

export function readStatements(root: string): Statements {
  return { templates: listSqlTemplates(root), tables: readTables(), listed: readListed(root) };
}

const readTables = (): Tables =>
  Object.fromEntries(
    Object.values(tables).map((table) => {
      const { name, columns } = getTableConfig(table);
      return [name, columns.map((column) => column.name)];
    }),
  );

// The rows of the table whose first column is "Statement": functions, then tables.
function readListed(root: string): Listed {
  const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
  const tables = marked.lexer(text).filter((token): token is Tokens.Table => token.type === 'table');
  const list = tables.find(({ header }) => header[0]?.text === 'Statement');
  const listed: Listed = {};
  for (const [functions, names] of list?.rows ?? [])
    for (const where of codeIn(functions?.tokens)) listed[where] = codeIn(names?.tokens);
  return listed;
}

const codeIn = (tokens: Token[] = []) => tokens.flatMap((token) => (token.type === 'codespan' ? [token.text] : []));

/** A statement that the service sent. `line` (`file:line`) is where it asked for drizzle, for a statement that drizzle wrote. */
export type Sent = { text: string; line?: string };

// The declaration (`file#name`) that sent a statement; undefined for one of a test.
function whereOf({ text, line }: Sent, templates: SqlTemplate[]): string | undefined {
  const [file, number] = line?.split(':') ?? [];
  return file ? findDeclaration(root, file, Number(number)) : findTemplate(text, templates)?.where;
}

/** A statement that crosses companies in tables for which its function is not listed, or none. */
export function asUnlisted(where: string, text: string, { tables, listed }: Statements) {
  const crossed = tablesAcrossCompanies(text, tables).filter((table) => !listed[where]?.includes(table));
  return crossed.length > 0 ? [{ where, tables: crossed, text }] : [];
}

/** Finds statements of the service that cross companies in tables for which their function is not listed. */
export function findUnlisted(sent: Sent[], statements: Statements) {
  return sent.flatMap((one) => {
    const where = whereOf(one, statements.templates);
    return where === undefined ? [] : asUnlisted(where, one.text, statements);
  });
}

/** Finds unlisted statements among the templates that are statements by themselves. */
export function findUnlistedTemplates(statements: Statements) {
  const alone = statements.templates.filter(beginsStatement).map((one) => ({ ...one, text: withParameters(one) }));
  return alone
    .filter(({ text }) => isStatement(text))
    .flatMap(({ where, text }) => asUnlisted(where, text, statements));
}
