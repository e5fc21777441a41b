/**
 * A count of all devices in order of their IDs, a part per round. Repeated daily, it corrects
 * changes that no event reported.
 */
export interface FullCount {
  /** ID of the last device counted; null if no count is in progress. */
  readonly sweptTo: string | null;
  readonly sweepEndedAt: Date | null;
}

const REPEATED_AFTER_MS = 86_400_000;

/** An ID before those of all devices. */
export const beforeAllDevices = '00000000-0000-0000-0000-000000000000';

/** State after a round that counted these devices. A round that counts fewer than its limit is the last one. */
export function advanceFullCount(
  { sweptTo, sweepEndedAt }: FullCount,
  round: { readonly counted: readonly string[]; readonly limit: number; readonly now: Date },
): FullCount {
  const { counted, limit, now } = round;
  if (sweptTo === null) {
    const isDue = now.getTime() - (sweepEndedAt?.getTime() ?? 0) > REPEATED_AFTER_MS;
    return { sweptTo: isDue ? beforeAllDevices : null, sweepEndedAt };
  }
  if (counted.length < limit) return { sweptTo: null, sweepEndedAt: now };
  return { sweptTo: counted.at(-1) ?? sweptTo, sweepEndedAt };
}
