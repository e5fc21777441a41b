import Box from '@cloudscape-design/components/box';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { RunCounters, RunDetail } from '@deviceportal/contract/runs';
import { isFinal } from '@deviceportal/contract/states';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { Time } from '../../ui/time/time.tsx';
import { completedOf, runElapsedMs } from '../results/invocation-progress.ts';
import { ParameterValues } from '../form/parameter-values.tsx';
import { undoneRun } from './undone-run.tsx';
import { useTick } from '../use-tick.ts';

export interface RunFactsProps {
  readonly run: RunDetail;
  readonly updatedAtMs: number;
  readonly refreshFailed: boolean;
  /** Notices below the state. */
  readonly notices: ReactNode;
}

/** The state, progress, counts, and options of a run on many devices. */
export function RunFacts(props: RunFactsProps): ReactNode {
  const { run } = props;
  const t = useT();
  const { count, percent } = completedOf(run.counters);
  return (
    <SpaceBetween size="m">
      <div className="dp-command-notices">
        <StateLine {...props} />
        {props.notices}
      </div>
      <ProgressBar
        value={percent}
        label={t('commands.result.progress')}
        additionalInfo={t('commands.result.progressOf', { count, target: run.counters.target })}
      />
      <Counts counters={run.counters} />
      <KeyValue
        columns={4}
        hasLongValues
        items={[
          {
            label: t('commands.document.title'),
            value: (
              <PortalLink href={`/documents/${run.documentName}?v=${run.documentVersion}`}>
                {run.documentName}:{run.documentVersion}
              </PortalLink>
            ),
          },
          { label: t('commands.result.by'), value: run.createdBy },
          {
            label: t('commands.result.createdAt'),
            value: <Time at={run.createdAt} style="absolute" />,
          },
          {
            label: t('commands.result.endedAt'),
            value: <Time at={run.endedAt} style="absolute" />,
          },
          { label: t('commands.options.concurrency'), value: run.maxConcurrency },
          { label: t('commands.options.errors'), value: run.maxErrors },
          {
            label: t('commands.result.reference'),
            value: <CopyableId value={run.id} name={t('commands.result.reference')} />,
          },
          ...undoneRun(run, t),
          ...(run.comment === ''
            ? []
            : [{ label: t('commands.options.comment'), value: run.comment }]),
        ]}
      />
      <ParameterValues documentName={run.documentName} parameters={run.parameters} />
    </SpaceBetween>
  );
}

function StateLine({ run, updatedAtMs, refreshFailed }: Omit<RunFactsProps, 'notices'>): ReactNode {
  const t = useT();
  const format = useFormat();
  const nowMs = useTick(!isFinal(run.state));
  return (
    <div className="dp-command-chip">
      <Box fontSize="heading-m">
        <StatusOf kind="statusDetails" value={run.statusDetails} />
      </Box>
      <span className="dp-number">{format.duration(runElapsedMs(run, nowMs))}</span>
      <Box variant="span" color="text-body-secondary" fontSize="body-s">
        {refreshFailed
          ? t('commands.result.updateFailed')
          : t('commands.result.updated', { time: format.clock(updatedAtMs) })}
      </Box>
    </div>
  );
}

const shownCounts = [
  ['success', 'success'],
  ['failed', 'error'],
  ['timedOut', 'error'],
  ['cancelled', 'stopped'],
  ['inProgress', 'in-progress'],
  ['pending', 'pending'],
] as const;

function Counts({ counters }: { readonly counters: RunCounters }): ReactNode {
  const t = useT();
  return (
    <div className="dp-command-chip">
      {shownCounts
        .filter(([name]) => name === 'success' || counters[name] > 0)
        .map(([name, type]) => {
          const words = t(`commands.count.${name}`, { count: counters[name] });
          return counters[name] === 0 ? (
            <Box key={name} variant="span" color="text-body-secondary">
              {words}
            </Box>
          ) : (
            <StatusIndicator key={name} type={type}>
              {words}
            </StatusIndicator>
          );
        })}
    </div>
  );
}
