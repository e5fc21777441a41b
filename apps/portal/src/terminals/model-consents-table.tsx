import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import {
  terminalConsents,
  type ModelTerminalConsent,
  type TerminalConsentRule,
} from '@deviceportal/contract/terminals';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

/** Device models, and whether their terminals need the consent of a person at the device. */
export function ModelConsentsTable(): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const query = useQuery(api.terminals.listModels.queryOptions());
  const change = useMutation(
    api.terminals.setConsent.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(api.terminals.pathFilter()),
    }),
  );
  const columns = useColumns((row) => change.mutate(row));
  return (
    <SpaceBetween size="s">
      {change.error === null ? null : <ErrorView error={change.error} place="alert" />}
      <DataTable
        id="terminal-models"
        label={t('terminals.models.title')}
        header={
          <Header variant="h2" description={t('terminals.models.description')}>
            {t('terminals.models.title')}
          </Header>
        }
        variant="container"
        withoutSettings
        columns={columns}
        rows={query.data}
        rowKey={({ model }) => model}
        query={query}
        empty={{ title: t('terminals.models.none'), body: t('terminals.models.noneBody') }}
      />
    </SpaceBetween>
  );
}

type Changed = Pick<ModelTerminalConsent, 'model' | 'consent'>;

function useColumns(
  onChange: (row: Changed) => void,
): readonly TableColumn<ModelTerminalConsent>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'model',
        header: t('terminals.models.model'),
        cell: ({ model }) => model,
        rowHeader: true,
        always: true,
      },
      {
        id: 'consent',
        header: t('terminals.models.consent'),
        minWidth: 220,
        cell: ({ model, consent }) => (
          <ConsentSelect model={model} consent={consent} onChange={onChange} />
        ),
      },
      {
        id: 'changedBy',
        header: t('terminals.models.changedBy'),
        cell: ({ changedBy }) => changedBy ?? '-',
      },
      {
        id: 'changedAt',
        header: t('terminals.models.changedAt'),
        cell: ({ changedAt }) => (changedAt === null ? '-' : <Time at={changedAt} />),
      },
    ],
    [t, onChange],
  );
}

function ConsentSelect({
  model,
  consent,
  onChange,
}: Changed & { readonly onChange: (row: Changed) => void }): ReactNode {
  const t = useT();
  const options = terminalConsents.map((value) => ({
    value,
    label: t(`terminals.consent.${value}`),
  }));
  return (
    <Select
      ariaLabel={t('terminals.models.consentOf', { model })}
      selectedOption={options.find(({ value }) => value === consent) ?? null}
      options={options}
      onChange={({ detail }) =>
        onChange({ model, consent: detail.selectedOption.value as TerminalConsentRule })
      }
    />
  );
}
