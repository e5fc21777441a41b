import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { canaryCount, waveSizes } from '@deviceportal/contract/wave-sizes';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { KeyValue } from '../ui/key-value.tsx';

/** How a rollout proceeds: canaries, waves, thresholds, and time limits. */
export function PlanStrategyFacts({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { options, targetCount } = run;
  const canaries = canaryCount(targetCount, options.canaryPercent);
  const waves = waveSizes(targetCount - canaries, options.wavePercents);
  const duration = (seconds: number): string => format.duration(seconds * 1_000);
  const percent = (value: number): string => format.percent(value / 100);
  return (
    <KeyValue
      items={[
        { label: t('airBlast.canaries'), value: format.number(canaries) },
        {
          label: t('airBlast.strategy.success'),
          value: percent(options.successPercent),
        },
        {
          label: t('airBlast.strategy.soak'),
          value:
            options.soakSeconds === 0
              ? t('airBlast.strategy.noSoak')
              : duration(options.soakSeconds),
        },
        {
          label: t('airBlast.strategy.waves'),
          value: format.list(waves.map((count) => format.number(count))),
        },
        { label: t('airBlast.strategy.concurrency'), value: options.maxConcurrency },
        { label: t('airBlast.strategy.errors'), value: options.maxErrors },
        {
          label: t('airBlast.strategy.offline'),
          value: t(
            options.waitForOffline ? 'airBlast.strategy.included' : 'airBlast.strategy.excluded',
          ),
        },
        { label: t('airBlast.timeout'), value: duration(options.timeoutSeconds) },
        { label: t('airBlast.strategy.disk'), value: percent(options.maxDiskUsedPercent) },
        {
          label: t('airBlast.strategy.verification'),
          value: options.verifyDocument ?? t('airBlast.strategy.byReports'),
        },
        { label: t('airBlast.strategy.verifyTime'), value: duration(options.verifySeconds) },
      ]}
    />
  );
}
