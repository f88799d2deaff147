import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';

const types: Record<string, string> = {
  ...{ bool: 'boolean', bytea: 'Buffer', date: 'string', int4: 'number', int8: 'number', text: 'string' },
  ...{ timestamptz: 'Date', uuid: 'string', varchar: 'string' },
};

// What the service writes into columns with JSON.
const json: Record<string, string> = {
  'alarms.details': 'Record<string, unknown>',
  'audit_log.details': 'Record<string, unknown>',
  'imports.rows': '{ line: number; name: string; role: string; staffNumber?: string; namesake?: boolean }[]',
  'owner_devices.pending': 'Record<string, string>',
  'refusals.figures': 'Record<string, number | string>',
};

type Column = { table: string; name: string; type: string; nullable: boolean };

function typeOf({ table, name, type, nullable }: Column): string {
  const one = type.startsWith('_') ? `${types[type.slice(1)]}[]` : (types[type] ?? json[`${table}.${name}`]);
  return nullable ? `${one} | null` : String(one);
}

const asName = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

test('the types of rows are those of the schema; `npx vitest run db/schema --update` writes them', async () => {
  const columns = await sql()<Column[]>`
    select table_name as "table", column_name as name, udt_name as type, is_nullable = 'YES' as nullable
    from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`;
  const tables = [...Map.groupBy(columns, ({ table }) => table)].map(([table, rows]) =>
    [`  ${asName(table)}: {`, ...rows.map((row) => `    ${asName(row.name)}: ${typeOf(row)};`), '  };'].join('\n'),
  );
  const text = `/**
 * The row of each table of \`db/migrations\`, with the names and types of its columns. A query takes the types of
 * what it selects from here: \`Pick<Rows['employees'], 'id' | 'name'>\`. So a renamed or changed column fails the
 * type check wherever it is read. A test writes this file from the schema.
 */
export type Rows = {
${tables.join('\n')}
};

/** The name of a table or column in the schema. */
export const asColumn = (name: string): string => name.replace(/[A-Z]/g, (letter) => \`_\${letter.toLowerCase()}\`);
`;
  await expect(text).toMatchFileSnapshot('rows.ts');
});
