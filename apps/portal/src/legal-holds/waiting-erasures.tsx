import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { WaitingErasure } from '@deviceportal/contract/legal-holds';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable, type TableQuery } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

/** Erasures that start when no hold covers the person any more. Hidden if there are none. */
export function WaitingErasures({
  waiting,
  query,
}: {
  readonly waiting: readonly WaitingErasure[];
  readonly query: TableQuery;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const columns = useMemo(
    (): readonly TableColumn<WaitingErasure>[] => [
      {
        id: 'person',
        header: t('legalHolds.person'),
        cell: ({ kind, personId, username }) => (
          <PortalLink href={kind === 'user' ? `/uam/users/${personId}` : `/people/${personId}`}>
            {username}
          </PortalLink>
        ),
        rowHeader: true,
        always: true,
      },
      {
        id: 'holds',
        header: t('legalHolds.heldBy'),
        cell: ({ holds }) => (holds.length === 0 ? t('legalHolds.startsSoon') : format.list(holds)),
      },
      {
        id: 'requested',
        header: t('legalHolds.erasureRequested'),
        cell: ({ requestedBy, requestedAt }) => (
          <>
            {requestedBy ?? '-'} <Time at={requestedAt} />
          </>
        ),
      },
    ],
    [t, format],
  );
  if (waiting.length === 0) return null;
  return (
    <DataTable
      id="heldErasures"
      label={t('legalHolds.waiting')}
      variant="container"
      withoutSettings
      wrapLines
      columns={columns}
      rows={waiting}
      rowKey={({ id }) => id}
      query={query}
      empty={{ title: t('legalHolds.noneWaiting') }}
      header={
        <Header variant="h2" description={t('legalHolds.waitingHint')}>
          {t('legalHolds.waiting')}
        </Header>
      }
    />
  );
}
