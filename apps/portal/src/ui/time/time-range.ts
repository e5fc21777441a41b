/**
 * A time range in the URL (`t`): `24h`, `7d`, or
 * `2026-11-01T00:00:00.000Z..2026-11-20T00:00:00.000Z`.
 */
export type TimeRange =
  | { readonly kind: 'relative'; readonly amount: number; readonly unit: RelativeUnit }
  | { readonly kind: 'absolute'; readonly from: string; readonly to: string };
export type RelativeUnit = 'm' | 'h' | 'd';

const UNIT_MS: Readonly<Record<RelativeUnit, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const RELATIVE = /^([1-9]\d{0,4})([mhd])$/;

/** Undefined for an invalid range. The caller uses its default. */
export function parseTimeRange(text: string): TimeRange | undefined {
  const relative = RELATIVE.exec(text);
  if (relative !== null) {
    return { kind: 'relative', amount: Number(relative[1]), unit: relative[2] as RelativeUnit };
  }
  const [from, to, more] = text.split('..');
  if (from === undefined || to === undefined || more !== undefined) return undefined;
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs) || fromMs > toMs) return undefined;
  return {
    kind: 'absolute',
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  };
}

export function encodeTimeRange(range: TimeRange): string {
  return range.kind === 'relative' ? `${range.amount}${range.unit}` : `${range.from}..${range.to}`;
}

/** The duration of the range in milliseconds. */
export function timeRangeMs(range: TimeRange): number {
  return range.kind === 'relative'
    ? range.amount * UNIT_MS[range.unit]
    : Date.parse(range.to) - Date.parse(range.from);
}

/** The times to request. A relative range has no end, so that it includes new data. */
export function momentsOf(
  range: TimeRange,
  nowMs: number,
): { readonly from: string; readonly to: string | null } {
  if (range.kind === 'absolute') return { from: range.from, to: range.to };
  return { from: new Date(nowMs - timeRangeMs(range)).toISOString(), to: null };
}
