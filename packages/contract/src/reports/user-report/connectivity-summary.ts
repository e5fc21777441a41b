import type { StripPiece, StripState } from './strip-pieces.ts';

/** Durations of a time range by state, from the same pieces that are drawn. */
export interface ConnectivitySummary {
  readonly totalMs: number;
  /** The part of the time range in which the state is known. */
  readonly knownMs: number;
  readonly onlineMs: number;
  readonly degradedMs: number;
  readonly offlineMs: number;
  /** Times within the time range at which the device was no longer connected. */
  readonly disconnects: number;
}

/** The only computation of connectivity figures: page, PDF, tables, and JSON show its results. */
export function summarizeConnectivity(pieces: readonly StripPiece[]): ConnectivitySummary {
  const msOf = (wanted: StripState): number =>
    pieces.reduce(
      (sum, { from, to, state }) =>
        state === wanted ? sum + Date.parse(to) - Date.parse(from) : sum,
      0,
    );
  const [onlineMs, degradedMs, offlineMs] = [msOf('online'), msOf('degraded'), msOf('offline')];
  const knownMs = onlineMs + degradedMs + offlineMs;
  return {
    totalMs: knownMs + msOf('unknown'),
    knownMs,
    onlineMs,
    degradedMs,
    offlineMs,
    disconnects: pieces.filter((piece, index) => endsConnection(piece, pieces[index - 1])).length,
  };
}

/** A connected device went offline, or was interrupted without a record of the time. */
function endsConnection({ from, to, state }: StripPiece, before: StripPiece | undefined): boolean {
  if (before === undefined || before.state === 'offline') return false;
  return state === 'offline' || (state === 'unknown' && from === to);
}

export interface KnownShare {
  readonly state: Exclude<StripState, 'unknown'>;
  /** Of the known time, in tenths of a percent. */
  readonly tenths: number;
}

const WHOLE = 1_000;

/**
 * Shares of the known time that add up to 100%. A state that occurred has at least a tenth of a
 * percent, so that no other state is shown as 100%.
 */
export function sharesOfKnownTime(summary: ConnectivitySummary): KnownShare[] {
  const { knownMs, onlineMs, degradedMs, offlineMs } = summary;
  if (knownMs === 0) return [];
  const all = [
    { state: 'online', ms: onlineMs },
    { state: 'degraded', ms: degradedMs },
    { state: 'offline', ms: offlineMs },
  ] as const;
  const shares = all
    .filter(({ ms }) => ms > 0)
    .map(({ state, ms }) => ({
      state,
      tenths: Math.max(1, Math.round((ms / knownMs) * WHOLE)),
    }));
  const largest = shares.toSorted((one, other) => other.tenths - one.tenths)[0];
  const excess = shares.reduce((sum, { tenths }) => sum + tenths, -WHOLE);
  return shares.map((share) =>
    share === largest ? { ...share, tenths: share.tenths - excess } : share,
  );
}
