import { usualAbsenceSeconds } from './device-rhythm.ts';
import { DAY_MS, HOUR_MS, later, type DeviceFacts, type Rule } from './finding-rule.ts';

/** Absence limit of a device without a known connection pattern. */
const UNKNOWN_RHYTHM_MS = DAY_MS;
/** An absence is unusual if it is this many times as long as the usual maximum … */
const UNUSUAL_FACTOR = 2;
/** … within these limits. */
const SHORTEST_MS = HOUR_MS;
const LONGEST_MS = 7 * DAY_MS;
/** An absence this many times as long as the limit is an error. */
const ERROR_FACTOR = 4;

const RECONNECTS = 6;
const RECONNECT_WINDOW_MS = HOUR_MS;

/** The absence after which the device is unusually silent, in ms. */
function silenceLimitMs({ rhythm }: Pick<DeviceFacts, 'rhythm'>): number {
  const usual = usualAbsenceSeconds(rhythm);
  if (usual === null) return UNKNOWN_RHYTHM_MS;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, usual * 1_000 * UNUSUAL_FACTOR));
}

export const unusualSilence: Rule = {
  code: 'unusual-silence',
  evaluate(device, now) {
    const { connectivity, connectivitySince: since, disconnectReason } = device;
    if (connectivity !== 'offline' || since === null) return null;
    const limitMs = silenceLimitMs(device);
    const awayMs = now.getTime() - since.getTime();
    if (awayMs < limitMs) return null;
    return {
      severity: awayMs < limitMs * ERROR_FACTOR ? 'warning' : 'error',
      facts: {
        since: since.toISOString(),
        usualSeconds: usualAbsenceSeconds(device.rhythm),
        absences: device.rhythm.absencesSeconds.length,
        reason: disconnectReason,
      },
      since,
      // Runs when the device reconnects: the first diagnosis needed then.
      remedy: { command: 'network/diagnose', parameters: {} },
    };
  },
  changesAt(device) {
    const { connectivity, connectivitySince: since } = device;
    if (connectivity !== 'offline' || since === null) return [];
    const limitMs = silenceLimitMs(device);
    return [later(since, limitMs), later(since, limitMs * ERROR_FACTOR)];
  },
};

export const unstableConnection: Rule = {
  code: 'unstable-connection',
  evaluate({ rhythm, disconnectReason }, now) {
    const recent = rhythm.connectedAt.filter(
      (at) => now.getTime() - at.getTime() < RECONNECT_WINDOW_MS,
    );
    if (recent.length < RECONNECTS) return null;
    const first = recent[0] ?? now;
    return {
      severity: 'warning',
      facts: {
        count: RECONNECTS,
        windowSeconds: RECONNECT_WINDOW_MS / 1_000,
        reason: disconnectReason,
      },
      since: first,
      remedy: { command: 'network/diagnose', parameters: {} },
    };
  },
  changesAt({ rhythm }) {
    const oldest = rhythm.connectedAt.at(-RECONNECTS);
    return oldest === undefined ? [] : [later(oldest, RECONNECT_WINDOW_MS)];
  },
};
