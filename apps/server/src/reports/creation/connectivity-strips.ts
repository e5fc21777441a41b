import type {
  ConnectivityStrip,
  ReportEvent,
  StripPiece,
  StripState,
} from '@deviceportal/contract/user-report-document';

const stateAfter: Readonly<Record<string, StripState>> = {
  'device.connected': 'online',
  'device.recovered': 'online',
  'device.degraded': 'degraded',
  'device.disconnected': 'offline',
};

/** Event types that change connectivity. */
export const connectivityTypes = Object.keys(stateAfter);

export function stripStateAfter(type: string): StripState | undefined {
  return stateAfter[type];
}

interface StripInput {
  readonly deviceId: string;
  readonly device: string;
  readonly from: string;
  readonly to: string;
  /** Connectivity at the start of the time range. */
  readonly before: StripState;
  /** Events of this device, newest first. */
  readonly events: readonly Pick<ReportEvent, 'at' | 'type'>[];
}

/** Connectivity of a device over a time range: consecutive segments without gaps, equal neighbors merged. */
export function connectivityStrip(input: StripInput): ConnectivityStrip {
  const { deviceId, device, from, to, before } = input;
  const pieces: StripPiece[] = [];
  let state = before;
  let since = from;
  let disconnects = 0;
  for (const { at, type } of input.events.toReversed()) {
    const next = stateAfter[type];
    if (next === undefined || at < from || at > to) continue;
    if (type === 'device.disconnected') disconnects += 1;
    if (next === state) continue;
    if (at > since) pieces.push({ from: since, to: at, state });
    state = next;
    since = at;
  }
  if (to > since) pieces.push({ from: since, to, state });
  return { deviceId, device, pieces, onlineShare: onlineShareOf(pieces), disconnects };
}

function onlineShareOf(pieces: readonly StripPiece[]): number | null {
  const lengthOf = ({ from, to }: StripPiece): number => Date.parse(to) - Date.parse(from);
  const total = (wanted: (state: StripState) => boolean): number =>
    pieces.filter(({ state }) => wanted(state)).reduce((sum, piece) => sum + lengthOf(piece), 0);
  const known = total((state) => state !== 'unknown');
  return known === 0 ? null : total((state) => state === 'online' || state === 'degraded') / known;
}
