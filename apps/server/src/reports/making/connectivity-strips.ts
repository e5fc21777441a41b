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

/** What events can tell of a connection. */
export const connectivityTypes = Object.keys(stateAfter);

export function stripStateAfter(type: string): StripState | undefined {
  return stateAfter[type];
}

interface StripInput {
  readonly deviceId: string;
  readonly device: string;
  readonly from: string;
  readonly to: string;
  /** How it was connected when the period began. */
  readonly before: StripState;
  /** Of this device, newest first. */
  readonly events: readonly Pick<ReportEvent, 'at' | 'type'>[];
}

/** How a device was connected over a period: pieces that follow each other without holes, equal neighbours as one. */
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
