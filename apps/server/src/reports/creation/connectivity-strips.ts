import { summarizeConnectivity } from '@deviceportal/contract/connectivity-summary';
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
  // Recorded also when the portal itself could not see the disconnect.
  'device-event.agent-stopped': 'offline',
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

const isConnected = (state: StripState): boolean => state === 'online' || state === 'degraded';

/**
 * Connectivity of a device over a time range: consecutive segments without gaps, equal neighbors merged. An outage of
 * less than a millisecond is a segment without length, so that it is drawn and counted. So is an interruption of which
 * only the end is known: a connection that began while another one was believed to exist.
 */
export function connectivityStrip(input: StripInput): ConnectivityStrip {
  const { deviceId, device, from, to, before } = input;
  const pieces: StripPiece[] = [];
  const add = (piece: StripPiece): void => {
    if (piece.to <= piece.from && isConnected(piece.state)) return;
    const last = pieces.at(-1);
    if (last?.state === piece.state) pieces[pieces.length - 1] = { ...last, to: piece.to };
    else pieces.push(piece);
  };
  let state = before;
  let since = from;
  for (const { at, type } of input.events.toReversed()) {
    const next = stateAfter[type];
    if (next === undefined || at < from || at > to) continue;
    const isReconnect = type === 'device.connected' && isConnected(state);
    if (next === state && !isReconnect) continue;
    add({ from: since, to: at, state });
    if (isReconnect) pieces.push({ from: at, to: at, state: 'unknown' });
    state = next;
    since = at;
  }
  if (to > since) add({ from: since, to, state });
  return { deviceId, device, pieces, summary: summarizeConnectivity(pieces) };
}
