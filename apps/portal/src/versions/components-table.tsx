import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import TextFilter from '@cloudscape-design/components/text-filter';
import { useMemo, type ReactNode } from 'react';
import type { ComponentSummary } from '@deviceportal/contract/versions';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable, type TableQuery } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';

export interface ComponentsTableProps {
  readonly query: TableQuery;
  readonly components: readonly ComponentSummary[] | undefined;
  readonly chosen: string | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Absent without the permission. */
  readonly onRegister?: (() => void) | undefined;
}

/** Components, most common first. Selecting one shows its versions. */
export function ComponentsTable(props: ComponentsTableProps): ReactNode {
  const { query, components, chosen, text, onText, onRegister } = props;
  const t = useT();
  const format = useFormat();
  const columns = useMemo(
    (): readonly TableColumn<ComponentSummary>[] => [
      {
        id: 'component',
        header: t('versions.column.component'),
        // The selected component is text instead of a link.
        cell: ({ component }) =>
          component === chosen ? (
            <strong aria-current="true">{component}</strong>
          ) : (
            <PortalLink href={componentHref(component, text)}>{component}</PortalLink>
          ),
        rowHeader: true,
        always: true,
        width: 130,
      },
      {
        id: 'devices',
        header: t('versions.column.devices'),
        cell: ({ devices }) => format.number(devices),
        numeric: true,
        width: 85,
      },
    ],
    [t, format, chosen, text],
  );
  const rows = components?.filter(({ component }) =>
    component.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <DataTable
      id="components"
      label={t('versions.components.title')}
      variant="container"
      withoutSettings
      columns={columns}
      rows={rows}
      rowKey={({ component }) => component}
      query={query}
      empty={{ title: t('versions.components.none'), body: t('versions.components.noneBody') }}
      onClearFilter={text === '' ? undefined : () => onText('')}
      header={
        <Header
          variant="h2"
          actions={
            onRegister === undefined ? null : (
              <Button
                iconName="add-plus"
                ariaLabel={t('versions.components.add')}
                onClick={onRegister}
              />
            )
          }
          {...(rows === undefined ? {} : { counter: `(${rows.length})` })}
        >
          {t('versions.components.title')}
        </Header>
      }
      filter={
        <TextFilter
          filteringText={text}
          filteringPlaceholder={t('versions.components.find')}
          filteringAriaLabel={t('versions.components.find')}
          onChange={({ detail }) => onText(detail.filteringText)}
        />
      }
    />
  );
}

function componentHref(component: string, text: string): string {
  const search = new URLSearchParams({ ...(text === '' ? {} : { q: text }), component });
  return `/tavs?${search.toString()}`;
}
