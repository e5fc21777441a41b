import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';
import type { TableColumn } from '../ui/table/table-column.ts';

/** The arguments of the columns of a pane. */
export interface PaneColumns<Open> {
  readonly t: Translate;
  readonly format: Formatters;
  /** The reason for which changes are disabled. Undefined if they are allowed. */
  readonly reason: string | undefined;
  readonly onOpen: (open: Open) => void;
}

/** The columns for the description and the number of members. */
export function descriptionAndMembers<
  Row extends { readonly description: string | null; readonly people: number },
>({ t, format }: Pick<PaneColumns<never>, 't' | 'format'>, aboutWidth: number): TableColumn<Row>[] {
  return [
    {
      id: 'about',
      header: t('identityProvider.column.about'),
      cell: ({ description }) => description || '-',
      width: aboutWidth,
    },
    {
      id: 'people',
      header: t('identityProvider.column.people'),
      cell: ({ people }) => format.number(people),
      numeric: true,
      width: 110,
    },
  ];
}
