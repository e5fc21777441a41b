import type { BrokerIdentity } from './broker-policy.ts';

/** Who is at the other end of each connection; one without an identity was never handed in by us. */
export class ConnectionIdentities {
  readonly #known = new WeakMap<object, BrokerIdentity>();
  readonly #plain = new WeakSet<object>();

  set(connection: object, identity: BrokerIdentity): void {
    this.#known.set(connection, identity);
  }

  /** From now on its user name is believed. */
  believe(connection: object): void {
    this.#plain.add(connection);
  }

  of(client: { readonly conn: object } | null | undefined): BrokerIdentity | undefined {
    return client ? this.#known.get(client.conn) : undefined;
  }

  /** Where nothing else says it: by the user name, on a connection where that is believed. */
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
