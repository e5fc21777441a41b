import ExpandableSection from '@cloudscape-design/components/expandable-section';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CaseEntry, CaseRun } from '@deviceportal/contract/cases';
import { isFinal } from '@deviceportal/contract/states';
import { useApi } from '../api/use-api.ts';
import { commandHref } from '../commands/command-href.ts';
import { lastLines } from '../commands/results/last-lines.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useWatch } from '../live/use-watch.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';

const SHOWN_LINES = 12;

/** The status of a command of the case, with its result. */
export function CaseCommand({ entry }: { readonly entry: CaseEntry }): ReactNode {
  const { run, runId } = entry;
  if (run === null || runId === null) return null;
  return <Run entry={entry} run={run} runId={runId} />;
}

interface RunProps {
  readonly entry: CaseEntry;
  readonly run: CaseRun;
  readonly runId: string;
}

function Run({ entry, run, runId }: RunProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const queryClient = useQueryClient();
  useWatch(isFinal(run.state) ? null : { kind: 'run', id: runId }, () => {
    void queryClient.invalidateQueries(api.cases.listEntries.pathFilter());
  });
  const tookMs = run.endedAt === null ? null : Date.parse(run.endedAt) - Date.parse(entry.at);
  const href = commandHref(run.command, {
    device: entry.deviceId ?? undefined,
    ...(run.invocationId === null ? { run: runId } : { invocation: run.invocationId }),
  });
  return (
    <div className="dp-case-run">
      <span>
        <StatusOf
          kind="statusDetails"
          value={run.statusDetails}
          detail={tookMs === null ? undefined : `· ${format.duration(Math.max(0, tookMs))}`}
        />{' '}
        <PortalLink href={href}>{t('cases.result')}</PortalLink>
      </span>
      {run.output === '' ? null : (
        <ExpandableSection headerText={t('cases.output')}>
          <pre className="dp-case-output">{lastLines(run.output, SHOWN_LINES)}</pre>
        </ExpandableSection>
      )}
    </div>
  );
}
