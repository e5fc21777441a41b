import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { SoftwareApproval } from '@deviceportal/contract/versions';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { useChangedVersions } from './use-changed-versions.ts';

/** Approved versions of a component by model and country. */
export function ApprovalsTable({ component }: { readonly component: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.versions.listApprovals.queryOptions({ component }));
  const [ending, setEnding] = useState<SoftwareApproval | null>(null);
  const columns = useApprovalColumns(setEnding);
  return (
    <>
      <DataTable
        id="version-approvals"
        label={t('versions.approvals.title')}
        variant="container"
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ model, country }) => `${model}\n${country}`}
        query={query}
        empty={{ title: t('versions.approvals.none') }}
        header={<Header variant="h2">{t('versions.approvals.title')}</Header>}
      />
      {ending === null ? null : (
        <WithdrawDialog approval={ending} onClose={() => setEnding(null)} />
      )}
    </>
  );
}

function useApprovalColumns(
  onWithdraw: (approval: SoftwareApproval) => void,
): readonly TableColumn<SoftwareApproval>[] {
  const t = useT();
  const format = useFormat();
  const mayManage = useViewer().may('versions:manage');
  return useMemo(
    (): readonly TableColumn<SoftwareApproval>[] => [
      {
        id: 'model',
        header: t('versions.matrix.model'),
        cell: ({ model }) => (model === '*' ? t('versions.approvals.allModels') : model),
        rowHeader: true,
        always: true,
      },
      {
        id: 'country',
        header: t('versions.approvals.country'),
        minWidth: 130,
        cell: ({ country }) =>
          country === '*' ? t('versions.approvals.allCountries') : format.country(country),
      },
      { id: 'version', header: t('versions.column.version'), cell: ({ version }) => version },
      {
        id: 'mandatoryFrom',
        header: t('versions.approvals.mandatoryFrom'),
        minWidth: 120,
        cell: ({ mandatoryFrom }) => <Time at={mandatoryFrom} />,
      },
      {
        id: 'approvedBy',
        header: t('versions.approvals.approvedBy'),
        cell: ({ approvedBy }) => approvedBy,
      },
      {
        id: 'approvedAt',
        header: t('versions.approvals.approvedAt'),
        cell: ({ approvedAt }) => <Time at={approvedAt} />,
      },
      ...(mayManage
        ? [
            {
              id: 'actions',
              header: t('versions.column.actions'),
              minWidth: 110,
              cell: (approval: SoftwareApproval) => (
                <Button
                  variant="inline-link"
                  ariaLabel={t('versions.approvals.withdrawOf', { model: approval.model })}
                  onClick={() => onWithdraw(approval)}
                >
                  {t('versions.approvals.withdraw')}
                </Button>
              ),
            },
          ]
        : []),
    ],
    [t, format, mayManage, onWithdraw],
  );
}

function WithdrawDialog(props: {
  readonly approval: SoftwareApproval;
  readonly onClose: () => void;
}): ReactNode {
  const { approval, onClose } = props;
  const t = useT();
  const api = useApi();
  const changed = useChangedVersions();
  const withdraw = useMutation(
    api.versions.withdrawApproval.mutationOptions({
      onSuccess: async () => {
        onClose();
        await changed();
      },
    }),
  );
  const { component, model, country } = approval;
  return (
    <ConfirmDialog
      title={t('versions.approvals.withdrawOf', { model })}
      confirmLabel={t('versions.approvals.withdraw')}
      busy={withdraw.isPending}
      error={withdraw.error === null ? null : <ErrorView error={withdraw.error} place="alert" />}
      onConfirm={() => withdraw.mutate({ component, model, country })}
      onCancel={onClose}
    >
      {t('versions.approvals.withdrawBody')}
    </ConfirmDialog>
  );
}
