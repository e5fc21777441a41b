import type { TimeSpan } from './metric-range.ts';

/** A time range as the API takes it. */
export const toMetricInput = ({
  fromMs,
  toMs,
}: TimeSpan): { readonly from: string; readonly to: string } => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});
