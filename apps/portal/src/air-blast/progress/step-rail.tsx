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
import '../air-blast.css';

/** In order. Repeated here because importing the contract’s list would load its schemas. */
const order: readonly AirBlastStep[] = ['plan', 'preflight', 'canary', 'blast', 'verify'];

/** The five stages with their state, result, and operator, and the stage that is next. */
export function StepRail({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  return (
    <ol className="dp-step-rail" aria-label={t('airBlast.steps')}>
      {order.map((step) => (
        <li key={step} aria-current={step === run.step ? 'step' : undefined}>
          <Step
            run={run}
            step={step}
            record={
              // After failed devices were excluded, the rollout stage runs again.
              order.indexOf(step) > order.indexOf(run.step)
                ? undefined
                : run.steps.findLast((one) => one.step === step)
            }
          />
        </li>
      ))}
    </ol>
  );
}

function Step({
  run,
  step,
  record,
}: {
  readonly run: AirBlastDetail;
  readonly step: AirBlastStep;
  readonly record: AirBlastStepRecord | undefined;
}): ReactNode {
  const t = useT();
  return (
    <>
      <Box variant="h3" tagOverride="div" padding="n">
        {t(`airBlast.step.${step}`)}
      </Box>
      {record === undefined ? (
        <StatusIndicator type={run.nextStep?.step === step ? 'info' : 'pending'}>
          {t(run.nextStep?.step === step ? 'airBlast.waitsForYou' : 'airBlast.notStarted')}
        </StatusIndicator>
      ) : (
        <>
          <StatusOf kind="airBlastStep" value={record.state} />
          <Result record={record} />
          <Warnings record={record} change={run.change} />
          <Box color="text-body-secondary" fontSize="body-s">
            {record.operator} · <Time at={record.endedAt ?? record.startedAt} />
            {record.attempt > 1 ? ` · ${t('airBlast.attempt', { attempt: record.attempt })}` : ''}
          </Box>
        </>
      )}
    </>
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
