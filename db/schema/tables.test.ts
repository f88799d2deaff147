import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';

// How drizzle declares a column of each type.
const declarations: Record<string, (name: string, length: number | null) => string> = {
  bool: (name) => `boolean('${name}')`,
  bytea: (name) => `bytea('${name}')`,
  date: (name) => `date('${name}')`,
  int4: (name) => `integer('${name}')`,
  int8: (name) => `bigint('${name}', { mode: 'number' })`,
  jsonb: (name) => `jsonb('${name}')`,
  text: (name) => `text('${name}')`,
  timestamptz: (name) => `timestamp('${name}', { withTimezone: true })`,
  uuid: (name) => `uuid('${name}')`,
  varchar: (name, length) => (length ? `varchar('${name}', { length: ${length} })` : `varchar('${name}')`),
};

// What the service writes into columns with JSON.
const json: Record<string, string> = {
  'alarms.details': 'Record<string, unknown>',
  'audit_log.details': 'Record<string, unknown>',
  'imports.rows': '{ line: number; name: string; role: string; staffNumber?: string }[]',
  'owner_devices.pending': 'Record<string, string>',
  'refusals.figures': 'Record<string, number | string>',
};

type Column = {
  table: string;
  name: string;
  type: string;
  length: number | null;
  nullable: boolean;
  byDefault: string | null;
  identity: 'ALWAYS' | 'BY DEFAULT' | null;
  generated: string | null;
};

const asName = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function declareValue({ byDefault, identity, generated }: Column): string | false {
  if (identity) return identity === 'ALWAYS' ? 'generatedAlwaysAsIdentity()' : 'generatedByDefaultAsIdentity()';
  if (generated) return `generatedAlwaysAs(sql\`${generated}\`)`;
  return byDefault !== null && `default(sql\`${byDefault}\`)`;
}

function declare(column: Column): string {
  const { table, name, type, length, nullable } = column;
  const declaration = declarations[type.replace(/^_/, '')]?.(name, length);
  if (!declaration) throw new Error(`a column of type ${type}`);
  const stored = json[`${table}.${name}`];
  const list = type.startsWith('_') && 'array()';
  const types = [stored && `$type<${stored}>()`, list, !nullable && 'notNull()', declareValue(column)];
  const parts = [`  ${asName(name)}: ${declaration}`, ...types.filter(Boolean)];
  const line = `${parts.join('.')},`;
  return line.length > 120 ? `${parts.join('\n    .')},` : line;
}

test('drizzle’s tables are those of the migrations; `npm run unit db/schema -- --update` writes them', async () => {
  const columns = await sql()<Column[]>`
    select table_name as "table", column_name as name, udt_name as type, character_maximum_length as length,
      is_nullable = 'YES' as nullable, column_default as "byDefault", identity_generation as identity,
      generation_expression as generated
    from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`;
  const tables = [...Map.groupBy(columns, ({ table }) => table)].map(([table, rows]) =>
    [`export const ${asName(table)} = pgTable('${table}', {`, ...rows.map(declare), '});', ''].join('\n'),
  );
  const text = `// Written by \`npm run unit db/schema -- --update\` from the schema that db/migrations/ makes.
import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  pgTable,
  sql,
  text,
  timestamp,
  uuid,
  varchar,
} from '#db/drizzle.cjs';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

${tables.join('\n')}`;
  await expect(text).toMatchFileSnapshot('tables.ts');
});
