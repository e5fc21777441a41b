import { alertValue, type AlertFiring, type AlertUnit } from '@deviceportal/contract/alerts';
import type { MaintenanceWindow } from '@deviceportal/contract/maintenance-windows';
import { nextAlertState, type AlertLimits, type AlertState } from './alert-state-machine.ts';
import { currentMaintenance } from './current-maintenance.ts';
import type { HistoryDelta } from './data/history-deltas.ts';

interface Simulation {
  readonly deltas: readonly HistoryDelta[];
  /** Devices that are watched now. */
  readonly total: number;
  readonly from: Date;
  readonly to: Date;
}

const MINUTE_MS = 60_000;

/** When a rule would have fired, with one evaluation per minute. */
export function simulateRule(
  rule: AlertLimits & {
    readonly unit: AlertUnit;
    readonly maintenance: readonly MaintenanceWindow[];
  },
  { deltas, total, from, to }: Simulation,
): AlertFiring[] {
  const firings: { startedAt: string; resolvedAt: string | null; peak: number }[] = [];
  const byMinute = new Map(deltas.map(({ minute, delta }) => [minute, delta]));
  const minutes = Math.floor((to.getTime() - from.getTime()) / MINUTE_MS);
  let state: AlertState = { phase: 'ok', since: from };
  let matching = 0;
  for (let minute = 0; minute <= minutes; minute += 1) {
    matching += byMinute.get(minute) ?? 0;
    const at = new Date(from.getTime() + minute * MINUTE_MS);
    const value = alertValue(rule.unit, { matching, total });
    const isMuted = currentMaintenance(rule.maintenance, at) !== null;
    const step = nextAlertState(state, rule, { value, at, isMuted });
    if (step.change === 'fire') {
      firings.push({ startedAt: at.toISOString(), resolvedAt: null, peak: matching });
    }
    const open = firings.at(-1);
    if (open !== undefined && open.resolvedAt === null) open.peak = Math.max(open.peak, matching);
    if (open !== undefined && step.change === 'resolve') open.resolvedAt = at.toISOString();
    state = step;
  }
  return firings;
}
