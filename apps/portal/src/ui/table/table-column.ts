import type { ReactNode } from 'react';

export interface TableColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The name of the sort on the server. Columns without it cannot be sorted. */
  readonly sort?: string;
  /** Hidden by default. */
  readonly optional?: boolean;
  /** Cannot be hidden, such as the identifier. */
  readonly always?: boolean;
  readonly rowHeader?: boolean;
  readonly width?: number;
  readonly minWidth?: number;
  /** Numbers are right-aligned. */
  readonly numeric?: boolean;
}

/**
 * The visible columns in the user’s order. Columns added in a newer release have their default
 * visibility.
 */
export function visibleColumnIds<Row>(
  columns: readonly TableColumn<Row>[],
  chosen: readonly string[] | undefined,
): string[] {
  if (chosen === undefined) return columns.filter((column) => !column.optional).map(({ id }) => id);
  const known = chosen.filter((id) => columns.some((column) => column.id === id));
  const forced = columns.filter((column) => column.always && !known.includes(column.id));
  return [...forced.map(({ id }) => id), ...known];
}
