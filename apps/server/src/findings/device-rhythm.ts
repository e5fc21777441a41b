/** How a device usually comes and goes, and what of late went wrong on it. */
export interface DeviceRhythm {
  /** Lengths of the last absences, newest last. */
  readonly absencesSeconds: readonly number[];
  readonly awaySince: Date | null;
  /** The last connections that followed a loss, newest last. */
  readonly connectedAt: readonly Date[];
  readonly crashes: readonly { readonly at: Date; readonly service: string }[];
}

export const noRhythm: DeviceRhythm = {
  absencesSeconds: [],
  awaySince: null,
  connectedAt: [],
  crashes: [],
};

/** What of the audit trail the rhythm is made from. */
export interface RhythmEvent {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

const KEPT_ABSENCES = 40;
const KEPT_CONNECTIONS = 12;
const KEPT_CRASHES = 12;
/** Fewer absences are no rhythm. */
const SHORTEST_RHYTHM = 4;

export function isRhythmEvent(type: string): boolean {
  return (
    type === 'device.connected' ||
    type === 'device.disconnected' ||
    type === 'device-event.service-crashed'
  );
}

/** The rhythm after one more event; events come in the order of the trail. */
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

/** One that follows no loss says nothing: after a restart of the portal everybody connects anew. */
function withConnection({ connectedAt, awaySince }: DeviceRhythm, at: Date): readonly Date[] {
  return awaySince === null ? connectedAt : [...connectedAt, at].slice(-KEPT_CONNECTIONS);
}

function withAbsence({ absencesSeconds, awaySince }: DeviceRhythm, at: Date): readonly number[] {
  if (awaySince === null || at <= awaySince) return absencesSeconds;
  const seconds = Math.round((at.getTime() - awaySince.getTime()) / 1_000);
  return [...absencesSeconds, seconds].slice(-KEPT_ABSENCES);
}

/** How long nearly all of its absences last; null while too few are known. */
export function usualAbsenceSeconds({ absencesSeconds }: DeviceRhythm): number | null {
  if (absencesSeconds.length < SHORTEST_RHYTHM) return null;
  const sorted = absencesSeconds.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? null;
}
