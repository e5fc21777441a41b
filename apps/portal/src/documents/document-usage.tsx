import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import type { DocumentDetail } from '@deviceportal/contract/documents';
import { RunsTable } from '../commands/runs-table.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { KeyValue } from '../shell/key-value.tsx';
import { NoAccess } from '../shell/no-access.tsx';
import { Time } from '../shell/time.tsx';
import { useViewer } from '../shell/viewer-context.tsx';
import '../commands/commands.css';

/** Where it was run, and how often it succeeds. */
export function DocumentUsage({ document }: { readonly document: DocumentDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const [filter, setFilter] = useState({ mine: false, active: false });
  if (!may('commands:read')) {
    return <NoAccess area={t('documents.tab.usage')} permission="commands:read" />;
  }
  return (
    <SpaceBetween size="l">
      <KeyValue
        columns={3}
        items={[
          {
            label: t('documents.columns.successRate'),
            value: document.successRate === null ? null : format.percent(document.successRate),
          },
          { label: t('documents.columns.lastUsed'), value: <Time at={document.lastUsedAt} /> },
        ]}
      />
      <RunsTable
        id="document-runs"
        filter={{ ...filter, deviceId: null, documentName: document.name }}
        onFilter={({ mine, active }) =>
          setFilter((old) => ({ mine: mine ?? old.mine, active: active ?? old.active }))
        }
      />
    </SpaceBetween>
  );
}
