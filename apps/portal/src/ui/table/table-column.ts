import type { ReactNode } from 'react';

export interface TableColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The server's name of this sort; columns without one cannot be sorted. */
  readonly sort?: string;
  /** Hidden until the person chooses it. */
  readonly optional?: boolean;
  /** Cannot be hidden: the identifier. */
  readonly always?: boolean;
  readonly rowHeader?: boolean;
  readonly width?: number;
  readonly minWidth?: number;
  /** Numbers stand on the right. */
  readonly numeric?: boolean;
}

/** The columns to show, in the person's order; columns that came with a newer release keep their default. */
export function visibleColumnIds<Row>(
  columns: readonly TableColumn<Row>[],
  chosen: readonly string[] | undefined,
): string[] {
  if (chosen === undefined) return columns.filter((column) => !column.optional).map(({ id }) => id);
  const known = chosen.filter((id) => columns.some((column) => column.id === id));
  const forced = columns.filter((column) => column.always && !known.includes(column.id));
  return [...forced.map(({ id }) => id), ...known];
}
