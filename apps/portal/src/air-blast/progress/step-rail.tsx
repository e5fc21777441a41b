import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type {
  AirBlastDetail,
  AirBlastStep,
  AirBlastStepRecord,
  AirBlastWarning,
} from '@deviceportal/contract/air-blast';
import { useT } from '../../i18n/use-t.ts';
import { StatusOf } from '../../ui/status-of.tsx';
import { Time } from '../../ui/time/time.tsx';
import { stepMarks, stepOrder, type StepMark } from './step-marks.ts';
import '../air-blast.css';

/** The five stages with their state, result, and operator: done, current, and next. */
export function StepRail({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const marks = stepMarks(run);
  return (
    <ol className="dp-step-rail" aria-label={t('airBlast.steps')}>
      {stepOrder.map((step) => (
        <li
          key={step}
          data-mark={marks[step]}
          aria-current={marks[step] === 'current' ? 'step' : undefined}
        >
          <Box variant="h3" tagOverride="div" padding="n">
            {t(`airBlast.step.${step}`)}
          </Box>
          <Step run={run} step={step} mark={marks[step]} />
        </li>
      ))}
    </ol>
  );
}

interface StepProps {
  readonly run: AirBlastDetail;
  readonly step: AirBlastStep;
  readonly mark: StepMark;
}

function Step({ run, step, mark }: StepProps): ReactNode {
  const t = useT();
  // After failed devices were excluded, the rollout stage runs again, and its record is outdated.
  const record =
    stepOrder.indexOf(step) > stepOrder.indexOf(run.step)
      ? undefined
      : run.steps.findLast((one) => one.step === step);
  if (record === undefined) return <Unstarted run={run} step={step} mark={mark} />;
  return (
    <>
      <StatusOf kind="airBlastStep" value={record.state} />
      <Result record={record} />
      <Warnings record={record} change={run.change} />
      <Box color="text-body-secondary" fontSize="body-s">
        {record.operator} · <Time at={record.endedAt ?? record.startedAt} />
        {record.attempt > 1 ? ` · ${t('airBlast.attempt', { attempt: record.attempt })}` : ''}
      </Box>
    </>
  );
}

/** What a stage that has not started is waiting for. */
function Unstarted({ run, step, mark }: StepProps): ReactNode {
  const t = useT();
  if (mark === 'unreached') {
    return <StatusIndicator type="stopped">{t('airBlast.mark.unreached')}</StatusIndicator>;
  }
  if (mark !== 'current') {
    return (
      <StatusIndicator type="pending">
        {t(mark === 'next' ? 'airBlast.mark.next' : 'airBlast.notStarted')}
      </StatusIndicator>
    );
  }
  if (run.nextStep?.step === step) {
    return <StatusIndicator type="info">{t('airBlast.waitsForYou')}</StatusIndicator>;
  }
  if (run.state === 'approval' || run.state === 'paused') {
    return (
      <StatusIndicator type={run.state === 'paused' ? 'stopped' : 'pending'}>
        {t(`airBlast.mark.${run.state}`)}
      </StatusIndicator>
    );
  }
  return (
    <StatusIndicator type="pending">
      {t('airBlast.mark.operator', { operator: run.operator })}
    </StatusIndicator>
  );
}

/** Warnings of the preflight. */
function Warnings({
  record,
  change,
}: {
  readonly record: AirBlastStepRecord;
  readonly change: string;
}): ReactNode {
  const t = useT();
  const { warnings, unchecked } = record.evidence;
  if (!Array.isArray(warnings)) return null;
  return (
    <>
      {warnings.map((warning: AirBlastWarning) => (
        <StatusIndicator key={warning} type="warning">
          {t(`airBlast.warning.${warning}`, { change })}
        </StatusIndicator>
      ))}
      {typeof unchecked === 'number' && unchecked > 0 ? (
        <StatusIndicator type="warning">
          {t('airBlast.evidence.unchecked', { count: unchecked })}
        </StatusIndicator>
      ) : null}
    </>
  );
}

/** The counts of a stage in one line. */
function Result({ record }: { readonly record: AirBlastStepRecord }): ReactNode {
  const t = useT();
  const { step, evidence } = record;
  const number = (name: string): number =>
    typeof evidence[name] === 'number' ? evidence[name] : 0;
  if (typeof evidence['total'] !== 'number') return null;
  const total = number('total');
  const words =
    step === 'plan'
      ? t('airBlast.evidence.plan', { total, excluded: number('excluded') })
      : step === 'preflight'
        ? t('airBlast.evidence.preflight', { go: number('go'), noGo: number('failed') })
        : t('airBlast.evidence.sent', { total, succeeded: total - number('failed') });
  const leftOut = number('leftOut');
  return (
    <Box fontSize="body-s">
      {words}
      {leftOut > 0 ? ` ${t('airBlast.evidence.leftOut', { count: leftOut })}` : ''}
    </Box>
  );
}
