import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { AirBlastGate } from '@deviceportal/contract/air-blast';
import { useT } from '../../i18n/use-t.ts';
import '../air-blast.css';

/** The value that decides about the stage against its limit: a bar with a mark at the limit. */
export function GateMeter({ gate }: { readonly gate: AirBlastGate }): ReactNode {
  const t = useT();
  const { kind, ended, total, value, limit } = gate;
  const errors = kind === 'blast';
  // The number of errors allowed is small compared to the devices, so the bar ends at twice the
  // limit.
  const full = Math.max(1, errors ? Math.max(2 * limit, value + 1) : total);
  const state = errors ? (value > limit ? 'bad' : 'good') : value >= limit ? 'good' : 'open';
  const share = (of: number): string => `${Math.min(100, (of / full) * 100)}%`;
  return (
    <div className="dp-gate" data-state={state}>
      <Box variant="awsui-key-label">{t(`airBlast.gateOf.${kind}`)}</Box>
      <div className="dp-gate-track" aria-hidden="true">
        <div className="dp-gate-value" style={{ inlineSize: share(value) }} />
        <div className="dp-gate-limit" style={{ insetInlineStart: share(limit) }} />
      </div>
      <div>
        {errors
          ? t('airBlast.gate.blast', { value, limit })
          : t('airBlast.gate.needs', { value, total, limit })}
        {ended < total ? ` · ${t('airBlast.gate.ended', { ended, total })}` : ''}
      </div>
    </div>
  );
}
