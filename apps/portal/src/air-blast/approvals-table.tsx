import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { AirBlastApproval, AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

const known = { isPending: false, error: null, refetch: () => undefined };

/** Decisions on the plans of a rollout, and whether each is valid for the current plan. */
export function ApprovalsTable({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  return (
    <DataTable
      id="air-blast-approvals"
      label={t('airBlast.approvals')}
      variant="container"
      withoutSettings
      columns={useApprovalColumns()}
      rows={run.approvals}
      rowKey={({ at, by }) => `${at} ${by}`}
      query={known}
      empty={{ title: t(run.needsApproval ? 'airBlast.needed' : 'airBlast.notNeeded') }}
      header={<Header variant="h2">{t('airBlast.approvals')}</Header>}
    />
  );
}

function useApprovalColumns(): readonly TableColumn<AirBlastApproval>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'decision',
        header: t('airBlast.approval'),
        rowHeader: true,
        cell: ({ decision, valid }) =>
          valid
            ? t(`airBlast.${decision}`)
            : `${t(`airBlast.${decision}`)} (${t('airBlast.void')})`,
      },
      { id: 'by', header: t('airBlast.by'), cell: ({ by }) => by },
      { id: 'at', header: t('airBlast.at'), cell: ({ at }) => <Time at={at} style="absolute" /> },
      {
        id: 'set',
        header: t('airBlast.planHash'),
        cell: ({ planSha256 }) => <CopyableId value={planSha256} />,
      },
      { id: 'comment', header: t('airBlast.comment'), cell: ({ comment }) => comment || '-' },
    ],
    [t],
  );
}
