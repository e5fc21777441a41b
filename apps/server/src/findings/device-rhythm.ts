/** Connection pattern of a device and its recent crashes. */
export interface DeviceRhythm {
  /** Durations of the last absences, newest last. */
  readonly absencesSeconds: readonly number[];
  readonly awaySince: Date | null;
  /** The last reconnections after a connection loss, newest last. */
  readonly connectedAt: readonly Date[];
  readonly crashes: readonly { readonly at: Date; readonly service: string }[];
}

export const noRhythm: DeviceRhythm = {
  absencesSeconds: [],
  awaySince: null,
  connectedAt: [],
  crashes: [],
};

/** Fields of an audit event that the connection pattern depends on. */
export interface RhythmEvent {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

const KEPT_ABSENCES = 40;
const KEPT_CONNECTIONS = 12;
const KEPT_CRASHES = 12;
/** Minimum number of absences for a pattern. */
const SHORTEST_RHYTHM = 4;

export function isRhythmEvent(type: string): boolean {
  return (
    type === 'device.connected' ||
    type === 'device.disconnected' ||
    type === 'device-event.service-crashed'
  );
}

/** The pattern after one more event; events come in the order of the audit trail. */
export function withEvent(rhythm: DeviceRhythm, event: RhythmEvent): DeviceRhythm {
  switch (event.type) {
    case 'device.disconnected':
      return { ...rhythm, awaySince: event.at };
    case 'device.connected':
      return {
        ...rhythm,
        awaySince: null,
        absencesSeconds: withAbsence(rhythm, event.at),
        connectedAt: withConnection(rhythm, event.at),
      };
    case 'device-event.service-crashed': {
      const service = event.data['service'];
      const crash = { at: event.at, service: typeof service === 'string' ? service : '' };
      return { ...rhythm, crashes: [...rhythm.crashes, crash].slice(-KEPT_CRASHES) };
    }
    default:
      return rhythm;
  }
}

/** Connections that do not follow a loss are ignored: after a restart of the portal every device reconnects. */
function withConnection({ connectedAt, awaySince }: DeviceRhythm, at: Date): readonly Date[] {
  return awaySince === null ? connectedAt : [...connectedAt, at].slice(-KEPT_CONNECTIONS);
}

function withAbsence({ absencesSeconds, awaySince }: DeviceRhythm, at: Date): readonly number[] {
  if (awaySince === null || at <= awaySince) return absencesSeconds;
  const seconds = Math.round((at.getTime() - awaySince.getTime()) / 1_000);
  return [...absencesSeconds, seconds].slice(-KEPT_ABSENCES);
}

/** Usual maximum of the device's absences (a high percentile); null if too few are known. */
export function usualAbsenceSeconds({ absencesSeconds }: DeviceRhythm): number | null {
  if (absencesSeconds.length < SHORTEST_RHYTHM) return null;
  const sorted = absencesSeconds.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? null;
}
