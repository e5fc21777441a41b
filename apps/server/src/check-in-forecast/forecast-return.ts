import {
  FORECAST_SHARE,
  type CheckInForecast,
  type ForecastBasis,
} from '@deviceportal/contract/check-in-forecast';
import type { ConnectionHistory } from './absences.ts';
import { comparableReturns, type OpenAbsence } from './comparable-returns.ts';
import { wallClock } from '../platform/wall-clock.ts';

/** With fewer than k returns for which k / (k + 1) is `FORECAST_SHARE`, no time has that probability. */
const FEWEST = Math.round(FORECAST_SHARE / (1 - FORECAST_SHARE));
/** Times are shown to five minutes. */
const STEP_MS = 5 * 60_000;

const bases: readonly ForecastBasis[] = ['weekday', 'day', 'duration'];

export interface ReturnForecast extends Omit<CheckInForecast, 'deviceId' | 'by'> {
  readonly byMs: number;
}

/**
 * The earliest time by which the device is back with a probability of at least `FORECAST_SHARE`, by the basis that
 * predicts its past returns best; null without enough comparable absences. If k of n returns came by a time, the next
 * one does with a probability of k / (n + 1), as all orders of n + 1 returns are equally likely (conformal prediction).
 */
export function forecastReturn(
  history: ConnectionHistory,
  open: OpenAbsence,
  timeZone: string,
): ReturnForecast | null {
  const clock = wallClock(timeZone);
  const samples = comparableReturns(history, open, clock);
  const candidates = bases
    .map((basis) => ({ basis, returns: samples[basis].toSorted((one, other) => one - other) }))
    .filter(({ returns }) => returns.length >= FEWEST)
    .map((candidate) => ({ ...candidate, lossMs: lossWhenLeftOut(candidate.returns) }));
  const best = candidates.toSorted((one, other) => one.lossMs - other.lossMs)[0];
  if (best === undefined) return null;
  const { basis, returns } = best;
  const returnMs = returns[rankOfShare(returns.length)] ?? Infinity;
  const nowWallMs = clock.toWallMs(open.nowMs);
  const byWallMs = Math.ceil((nowWallMs + returnMs) / STEP_MS) * STEP_MS;
  const matched = returns.filter((each) => nowWallMs + each <= byWallMs).length;
  return {
    ...{ basis, timeZone, matched },
    byMs: basis === 'duration' ? open.nowMs + byWallMs - nowWallMs : clock.toUtcMs(byWallMs),
    comparable: returns.length,
    share: matched / (returns.length + 1),
  };
}

/** Index of the smallest of n sorted returns with a probability of at least `FORECAST_SHARE`. */
const rankOfShare = (count: number): number =>
  Math.min(count, Math.ceil(FORECAST_SHARE * (count + 1) - 1e-9)) - 1;

/**
 * Pinball loss (quantile loss) at `FORECAST_SHARE`: the mean cost of predicting each return from the others.
 * @param sorted ascending, milliseconds
 */
function lossWhenLeftOut(sorted: readonly number[]): number {
  const losses = sorted.map((actual, index) => {
    const others = sorted.filter((_, other) => other !== index);
    const predicted = others[Math.min(others.length - 1, rankOfShare(others.length))] ?? 0;
    const late = actual - predicted;
    return late > 0 ? FORECAST_SHARE * late : (FORECAST_SHARE - 1) * late;
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}
