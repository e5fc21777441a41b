import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { ClaimRow } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { Time } from '../../ui/time/time.tsx';
import { Labels } from '../list/device-cells.tsx';

/** Claims with remaining uses, their validity, and the button to revoke them. */
export function ClaimsTable(): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<string | null>(null);
  const pages = useKeysetPages('claims');
  const claims = useQuery(
    api.devices.listClaims.queryOptions(
      { cursor: pages.cursor },
      { placeholderData: keepPreviousData },
    ),
  );
  const revoke = useMutation(
    api.devices.revokeClaim.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.devices.listClaims.queryFilter()),
      onSettled: () => setAsked(null),
    }),
  );
  const { mutate, isPending } = revoke;
  const columns = useMemo(
    (): readonly TableColumn<ClaimRow>[] => [
      ...stateColumns(t),
      {
        id: 'revoke',
        header: t('devices.claim.end'),
        width: 140,
        // A confirmation on the button itself, because another dialog would cover this one.
        cell: (row) => (
          <Button
            variant="inline-link"
            loading={isPending && asked === row.id}
            onClick={() => (asked === row.id ? mutate({ id: row.id }) : setAsked(row.id))}
          >
            {t(asked === row.id ? 'devices.claim.revokeSure' : 'devices.claim.revoke')}
          </Button>
        ),
      },
      ...deviceColumns(t),
    ],
    [t, asked, isPending, mutate],
  );
  return (
    <DataTable
      id="claims"
      label={t('devices.add.claims')}
      variant="embedded"
      columns={columns}
      rows={claims.data?.rows}
      rowKey={(row) => row.id}
      query={claims}
      paging={{ pages, nextCursor: claims.data?.nextCursor }}
      empty={{ title: t('devices.claim.none') }}
      withoutSettings
      footer={revoke.error === null ? undefined : <ErrorView error={revoke.error} place="alert" />}
    />
  );
}

const stateColumns = (t: Translate): TableColumn<ClaimRow>[] => [
  {
    id: 'createdAt',
    header: t('devices.claim.createdAt'),
    cell: (row) => <Time at={row.createdAt} />,
    rowHeader: true,
  },
  { id: 'createdBy', header: t('devices.claim.createdBy'), cell: (row) => row.createdBy },
  {
    id: 'uses',
    header: t('devices.claim.usesLeft'),
    cell: (row) => `${row.usesLeft} / ${row.uses}`,
    numeric: true,
  },
  {
    id: 'state',
    header: t('devices.claim.state'),
    cell: (row) => <ClaimState state={row.state} />,
    minWidth: 120,
  },
  {
    id: 'expiresAt',
    header: t('devices.claim.expiresAt'),
    cell: (row) => <Time at={row.expiresAt} />,
  },
];

/** The values for the claimed devices. */
const deviceColumns = (t: Translate): TableColumn<ClaimRow>[] => [
  { id: 'model', header: t('devices.column.model'), cell: (row) => row.model ?? '-' },
  { id: 'owner', header: t('devices.column.owner'), cell: (row) => row.owner?.name ?? '-' },
  {
    id: 'labels',
    header: t('devices.column.labels'),
    cell: (row) => <Labels labels={row.labels} />,
  },
];

function ClaimState({ state }: Pick<ClaimRow, 'state'>): ReactNode {
  const t = useT();
  return (
    <StatusIndicator type={state === 'open' ? 'success' : 'stopped'}>
      {t(`devices.claim.state.${state}`)}
    </StatusIndicator>
  );
}
