import type { BrokerIdentity } from './broker-policy.ts';

/** The identity of each connection. A connection without one did not come from a listener of this broker. */
export class ConnectionIdentities {
  readonly #known = new WeakMap<object, BrokerIdentity>();
  readonly #plain = new WeakSet<object>();

  set(connection: object, identity: BrokerIdentity): void {
    this.#known.set(connection, identity);
  }

  /** From now on the username of this connection is trusted. */
  believe(connection: object): void {
    this.#plain.add(connection);
  }

  of(client: { readonly conn: object } | null | undefined): BrokerIdentity | undefined {
    return client ? this.#known.get(client.conn) : undefined;
  }

  /** Identifies a connection by its username, if usernames are trusted on it. */
  name(connection: object, username: string | undefined): BrokerIdentity | undefined {
    if (!this.#plain.has(connection) || !username) return undefined;
    const identity: BrokerIdentity = {
      kind: 'device',
      deviceId: username,
      fingerprint: null,
      instanceId: null,
      certificateStartsAt: null,
      certificateEndsAt: null,
      address: null,
    };
    this.#known.set(connection, identity);
    return identity;
  }
}
