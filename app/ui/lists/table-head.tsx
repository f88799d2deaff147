import { TableTh, TableThead, TableTr } from '@mantine/core';

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
