import type { ForecastBasis } from '@deviceportal/contract/check-in-forecast';
import type { Absence, ConnectionHistory } from './absences.ts';
import type { WallClock } from '../platform/wall-clock.ts';

/** An absence that has not ended. */
export interface OpenAbsence {
  readonly sinceMs: number;
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;
const DAYS = 42;
const WEEKS = 10;
const ABSENCES = 60;
/** Added to both durations before they are compared, so that a few minutes more or less do not matter. */
const SLACK_MS = 15 * 60_000;
/** How many times longer or shorter the absence was then. */
const MOST_DIFFERENT = 3;

/**
 * How long the device stayed away in comparable situations of the past, in milliseconds from then: for the bases by
 * days on the wall clock, so that a clock change in between does not move the return.
 */
export function comparableReturns(
  history: ConnectionHistory,
  open: OpenAbsence,
  clock: WallClock,
): Readonly<Record<ForecastBasis, readonly number[]>> {
  const elapsedMs = open.nowMs - open.sinceMs;
  return {
    weekday: returnsAtThisTime(history, open, { clock, everyDays: 7, times: WEEKS }),
    day: returnsAtThisTime(history, open, { clock, everyDays: 1, times: DAYS }),
    duration: history.absences
      .slice(-ABSENCES)
      .map(({ fromMs, toMs }) => toMs - fromMs - elapsedMs)
      .filter((returnMs) => returnMs > 0),
  };
}

interface Rhythm {
  readonly clock: WallClock;
  readonly everyDays: number;
  readonly times: number;
}

function returnsAtThisTime(
  { absences, knownFromMs }: ConnectionHistory,
  { sinceMs, nowMs }: OpenAbsence,
  { clock, everyDays, times }: Rhythm,
): number[] {
  const returns: number[] = [];
  const nowWallMs = clock.toWallMs(nowMs);
  for (let count = 1; count <= times; count += 1) {
    const thenMs = clock.toUtcMs(nowWallMs - count * everyDays * DAY_MS);
    if (thenMs < knownFromMs) break;
    const absence = absenceAt(absences, thenMs);
    if (absence === undefined || !isAlike(nowMs - sinceMs, thenMs - absence.fromMs)) continue;
    returns.push(clock.toWallMs(absence.toMs) - clock.toWallMs(thenMs));
  }
  return returns;
}

const absenceAt = (absences: readonly Absence[], atMs: number): Absence | undefined => {
  const found = absences.findLast(({ fromMs }) => fromMs <= atMs);
  return found !== undefined && found.toMs > atMs ? found : undefined;
};

function isAlike(oneMs: number, otherMs: number): boolean {
  const ratio = (oneMs + SLACK_MS) / (otherMs + SLACK_MS);
  return ratio <= MOST_DIFFERENT && ratio >= 1 / MOST_DIFFERENT;
}
