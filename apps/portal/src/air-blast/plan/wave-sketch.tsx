import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import type { AirBlastLimits } from '@deviceportal/contract/air-blast';
import type { Consequence } from '@deviceportal/contract/permissions';
import { rolloutApproval, type RolloutSize } from '@deviceportal/contract/rollout-approval';
import { canaryCount, waveSizes } from '@deviceportal/contract/wave-sizes';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { wavePercentsOf, type StrategyFields, type StrategyIssue } from './plan-fields.ts';
import '../air-blast.css';

export interface WaveSketchProps {
  readonly strategy: StrategyFields;
  readonly issues: ReadonlyMap<keyof StrategyFields, StrategyIssue>;
  /** Null if no devices are selected. */
  readonly devices: number | null;
  readonly consequence: Consequence | undefined;
}

/** The run policy, which is part of the limits, changes rarely. */
const LIMITS_FRESH_MS = 60_000;

/** The share of devices in the canaries and in each wave, drawn to scale. */
export function WaveSketch({ strategy, issues, devices, consequence }: WaveSketchProps): ReactNode {
  const t = useT();
  const api = useApi();
  const limits = useQuery(
    api.airBlast.getLimits.queryOptions(undefined, { staleTime: LIMITS_FRESH_MS }),
  );
  const format = useFormat();
  if (devices === null || devices === 0 || issues.has('waves') || issues.has('canaryPercent')) {
    return null;
  }
  const canaries = canaryCount(devices, Number(strategy.canaryPercent));
  const waves = waveSizes(devices - canaries, wavePercentsOf(strategy));
  const parts = [
    ...(canaries === 0 ? [] : [{ name: t('airBlast.canaries'), count: canaries, kind: 'canary' }]),
    ...waves.map((count, index) => ({
      name: t('airBlast.waveOf', { wave: index + 1 }),
      count,
      kind: 'wave',
    })),
  ];
  const approval = approvalOf(limits.data, { consequence, devices, canaries });
  const firstWave = parts.findIndex(({ kind }) => kind === 'wave');
  const approvalBefore = !approval?.needsApproval ? null : approval.approvalFirst ? 0 : firstWave;
  return (
    <ol className="dp-wave-sketch" aria-label={t('airBlast.sketch')}>
      {parts.map(({ name, count, kind }, index) => (
        <Fragment key={name}>
          {index === approvalBefore ? (
            <li className="dp-wave-approval">{t('airBlast.sketchApproval')}</li>
          ) : null}
          <li className={`dp-wave-${kind}`} style={{ flexGrow: count }}>
            <span>{name}</span>
            <strong className="dp-number">{format.number(count)}</strong>
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

/** What the server will require; undefined until the limits and the change are known. */
function approvalOf(
  limits: AirBlastLimits | undefined,
  plan: Omit<RolloutSize, 'consequence'> & Pick<WaveSketchProps, 'consequence'>,
) {
  const { consequence } = plan;
  if (limits === undefined || consequence === undefined) return undefined;
  const { approvalDevices, runsFrom } = limits;
  return rolloutApproval(
    { approvalDevices, runsFrom: runsFrom[consequence] ?? null },
    { ...plan, consequence },
  );
}
