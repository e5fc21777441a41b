import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { VersionMatrix as Matrix, VersionMatrixRow } from '@deviceportal/contract/versions';
import { useApi } from '../api/use-api.ts';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { MatrixCell } from './matrix-cell.tsx';

/** Pixels, so that the text of a state does not wrap. */
const VERSION_WIDTH = 230;

/**
 * Approved vs. installed: a row for each approval, a column for each version, and the share of the
 * row in each cell.
 */
export function VersionMatrix({ component }: { readonly component: string }): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const query = useQuery(api.versions.getMatrix.queryOptions({ component }));
  const columns = useMemo(() => columnsOf(query.data, t, format), [query.data, t, format]);
  return (
    <DataTable
      id="version-matrix"
      label={t('versions.matrix.title', { component })}
      variant="container"
      withoutSettings
      wrapLines
      columns={columns}
      rows={query.data?.rows}
      rowKey={(row) => JSON.stringify([row.model, row.country, row.approved, row.mandatoryFrom])}
      query={query}
      empty={{ title: t('versions.matrix.none') }}
      header={
        <Header variant="h2" description={t('versions.matrix.description')}>
          {t('versions.matrix.title', { component })}
        </Header>
      }
    />
  );
}

function columnsOf(
  matrix: Matrix | undefined,
  t: Translate,
  format: Formatters,
): TableColumn<VersionMatrixRow>[] {
  return [
    {
      id: 'model',
      header: t('versions.matrix.model'),
      cell: (row) => placeOf(row, t, format),
      rowHeader: true,
      always: true,
      width: 150,
    },
    {
      id: 'approved',
      header: t('versions.matrix.approved'),
      cell: ({ approved, mandatoryFrom }) => (
        <>
          {approved ?? '-'}
          {mandatoryFrom === null ? null : (
            <div>
              {t('versions.matrix.mandatory')} <Time at={mandatoryFrom} />
            </div>
          )}
        </>
      ),
      width: 135,
    },
    {
      id: 'devices',
      header: t('versions.column.devices'),
      cell: ({ devices }) => format.number(devices),
      numeric: true,
      width: 90,
    },
    ...(matrix?.versions ?? []).map((version) => ({
      id: `version:${version}`,
      header: version,
      cell: (row: VersionMatrixRow) => (
        <MatrixCell component={matrix?.component ?? ''} version={version} row={row} />
      ),
      minWidth: VERSION_WIDTH,
      width: VERSION_WIDTH,
    })),
  ];
}

function placeOf(row: VersionMatrixRow, t: Translate, format: Formatters): string {
  const model = row.model ?? t('versions.matrix.unknownModel');
  if (row.country !== null) return `${model} (${format.country(row.country)})`;
  if (row.otherCountries.length === 0) return model;
  const countries = format.list(row.otherCountries.map((country) => format.country(country)));
  return `${model} (${t('versions.matrix.elsewhere', { countries })})`;
}
