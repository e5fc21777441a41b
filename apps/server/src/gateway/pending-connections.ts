import type { EventEmitter } from 'node:events';

/**
 * Tracks connections between their admission check and their registration, so that a disconnect in between also ends
 * a connection that is not registered yet.
 */
export class PendingConnections {
  readonly #arriving = new Map<string, Set<EventEmitter>>();
  readonly #rejected = new WeakSet<EventEmitter>();

  begin(deviceId: string, connection: EventEmitter): void {
    const own = this.#arriving.get(deviceId) ?? new Set();
    this.#arriving.set(deviceId, own.add(connection));
    connection.once('close', () => this.#remove(deviceId, connection));
  }

  reject(deviceId: string): void {
    for (const connection of this.#arriving.get(deviceId) ?? []) this.#rejected.add(connection);
  }

  /** Whether the connection may stay open. */
  end(deviceId: string, connection: EventEmitter): boolean {
    this.#remove(deviceId, connection);
    return !this.#rejected.has(connection);
  }

  #remove(deviceId: string, connection: EventEmitter): void {
    const own = this.#arriving.get(deviceId);
    own?.delete(connection);
    if (own?.size === 0) this.#arriving.delete(deviceId);
  }
}
