import { TableTh, TableThead, TableTr } from '@mantine/core';

/** The heading row of a table, one text per column. */
export function TableHead({ columns }: { columns: string[] }) {
  return (
    <TableThead>
      <TableTr>
        {columns.map((column) => (
          <TableTh key={column} scope="col">
            {column}
          </TableTh>
        ))}
      </TableTr>
    </TableThead>
  );
}
