import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import type { Consequence } from '@deviceportal/contract/permissions';
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

/** The share of devices in the canaries and in each wave, drawn to scale. */
export function WaveSketch({ strategy, issues, devices, consequence }: WaveSketchProps): ReactNode {
  const t = useT();
  const api = useApi();
  const limits = useQuery(
    api.airBlast.getLimits.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
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
  const from = limits.data?.approvalDevices;
  const needsApproval = consequence === 'destroys' || (from !== undefined && devices >= from);
  const firstWave = parts.findIndex(({ kind }) => kind === 'wave');
  const approvalBefore = !needsApproval ? null : consequence === 'destroys' ? 0 : firstWave;
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
