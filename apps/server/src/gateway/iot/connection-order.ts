/** A connection event of AWS IoT, as far as its order is concerned. */
export interface OrderedEvent {
  /** The same for both ends of a connection, and larger for each further connection of the client. */
  readonly version: number;
  readonly at: Date;
  readonly isConnected: boolean;
}

/**
 * Versions begin again at 0 when a client was not connected for about an hour, so that a lower version much later is a
 * newer one. Events are not delayed against each other for so long.
 */
const RESET_MS = 30 * 60_000;

/**
 * Whether an event is news after the newest known one. Events arrive in any order and more than once ("Lifecycle
 * events", AWS IoT Core Developer Guide).
 */
export function isNewerEvent(event: OrderedEvent, known: OrderedEvent | undefined): boolean {
  if (known === undefined) return true;
  const laterMs = event.at.getTime() - known.at.getTime();
  if (Math.abs(laterMs) >= RESET_MS) return laterMs > 0;
  if (event.version !== known.version) return event.version > known.version;
  return known.isConnected && !event.isConnected;
}

/** The difference of clocks between the servers of AWS IoT, and the time until a birth message. */
const CLOCKS_MS = 1_000;

/**
 * Whether something that AWS IoT received from a device at a moment belongs to a connection that has ended since.
 *
 * @param known the newest known event of the device
 */
export function isOfEndedConnection(receivedAt: Date, known: OrderedEvent | undefined): boolean {
  if (known === undefined) return false;
  const marginMs = known.isConnected ? CLOCKS_MS : 0;
  return receivedAt.getTime() + marginMs < known.at.getTime();
}
