import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DocumentDetail } from '@deviceportal/contract/documents';
import { useApi } from '../api/use-api.ts';
import { RunsTable } from '../commands/runs/runs-table.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { NoAccess } from '../ui/no-access.tsx';
import { Time } from '../ui/time/time.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import '../commands/commands.css';

/** The runs of a document, and its success rate. */
export function DocumentUsage({ document }: { readonly document: DocumentDetail }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const [filter, setFilter] = useState({
    mine: false,
    active: false,
    awaiting: false,
    failing: false,
  });
  if (!may('commands:read')) {
    return <NoAccess area={t('documents.tab.usage')} permission="commands:read" />;
  }
  return (
    <SpaceBetween size="l">
      <UsageFacts document={document} />
      <RunsTable
        id="document-runs"
        filter={{ ...filter, endedOn: null, deviceId: null, documentName: document.name }}
        onFilter={({ mine, active, awaiting, failing }) =>
          setFilter((old) => ({
            mine: mine ?? old.mine,
            active: active ?? old.active,
            awaiting: awaiting ?? old.awaiting,
            failing: failing ?? old.failing,
          }))
        }
      />
    </SpaceBetween>
  );
}

function UsageFacts({ document }: { readonly document: DocumentDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const query = useQuery(api.commands.documentUsage.queryOptions({ document: document.name }));
  if (query.isError) {
    return <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />;
  }
  const usage = query.data;
  const models = usage?.failingModels ?? [];
  return (
    <KeyValue
      columns={4}
      items={[
        {
          label: t('documents.usage.runs'),
          value:
            usage === undefined
              ? null
              : t('documents.usage.runsOn', { runs: usage.runs, devices: usage.invocations }),
        },
        {
          label: t('documents.columns.successRate'),
          value:
            usage === undefined || usage.successRate === null
              ? null
              : format.percent(usage.successRate),
        },
        {
          label: t('documents.usage.median'),
          value:
            usage === undefined || usage.medianDurationMs === null
              ? null
              : format.duration(usage.medianDurationMs),
        },
        { label: t('documents.columns.lastUsed'), value: <Time at={document.lastUsedAt} /> },
        ...(models.length === 0
          ? []
          : [
              {
                label: t('documents.usage.failingModels'),
                value: format.list(
                  models.map(({ model, failed }) =>
                    t('documents.usage.failedOn', { model: model ?? '-', failed }),
                  ),
                ),
              },
            ]),
      ]}
    />
  );
}
