import type { EventEmitter } from 'node:events';

/**
 * Connections between the question whether a device may connect and their registration: who is sent away in between is
 * not there yet, and would stay.
 */
export class Arrivals {
  readonly #arriving = new Map<string, Set<EventEmitter>>();
  readonly #turnedBack = new WeakSet<EventEmitter>();

  begin(deviceId: string, connection: EventEmitter): void {
    const own = this.#arriving.get(deviceId) ?? new Set();
    this.#arriving.set(deviceId, own.add(connection));
    connection.once('close', () => this.#remove(deviceId, connection));
  }

  turnBack(deviceId: string): void {
    for (const connection of this.#arriving.get(deviceId) ?? []) this.#turnedBack.add(connection);
  }

  /** Whether the connection may stay. */
  end(deviceId: string, connection: EventEmitter): boolean {
    this.#remove(deviceId, connection);
    return !this.#turnedBack.has(connection);
  }

  #remove(deviceId: string, connection: EventEmitter): void {
    const own = this.#arriving.get(deviceId);
    own?.delete(connection);
    if (own?.size === 0) this.#arriving.delete(deviceId);
  }
}
