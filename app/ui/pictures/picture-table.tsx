import { useFormatter } from 'next-intl';

/** The figures behind a picture, as a table that opens on demand. */
export function PictureTable({
  text,
  columns,
  rows,
}: {
  /** The text that opens the table. */
  text: string;
  columns: [string, string];
  rows: [string, number][];
}) {
  const format = useFormatter();
  return (
    <details className="picture-table">
      <summary>{text}</summary>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{format.number(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
