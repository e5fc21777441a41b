import { useId, type ReactNode } from 'react';

export interface PrintTableProps {
  readonly title: string;
  readonly none: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A plain table, whose header row a printer repeats on each page. */
export function PrintTable({ title, none, headers, rows }: PrintTableProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? (
        <p>{none}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {headers.map((header) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // Rows of a finished report never change their places.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={row}>
                {cells.map((cell, column) => (
                  <td key={headers[column]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
