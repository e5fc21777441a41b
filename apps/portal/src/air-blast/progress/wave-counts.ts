import type { AirBlastWave } from '@deviceportal/contract/air-blast';

/** The devices of a wave by result. */
export function countsOf({ counters, devices }: AirBlastWave) {
  const success = counters?.success ?? 0;
  const failed = (counters?.failed ?? 0) + (counters?.timedOut ?? 0);
  const cancelled = counters?.cancelled ?? 0;
  return { success, failed, cancelled, open: Math.max(0, devices - success - failed - cancelled) };
}
