import type { AedesOptions } from 'aedes';
import { CONNECT_QUOTA, TOPIC_LIMIT_CHARACTERS } from '@deviceportal/contract/device-limits';
import type { RefusalPause } from '../../platform/refusal-pause.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import type { PendingConnections } from '../pending-connections.ts';
import type { BatchPort } from './broker-batch-port.ts';
import { mayConnect } from './broker-policy.ts';
import type { ConnectionIdentities } from './connection-identities.ts';
import { isValidWill } from './is-valid-will.ts';
import type { ViewerCounts } from './viewer-counts.ts';

export interface ClientAdmission {
  readonly port: BatchPort;
  readonly identities: ConnectionIdentities;
  readonly pendingConnections: PendingConnections;
  readonly viewers: ViewerCounts;
  /** Delay before a device that connects too often is rejected. */
  readonly tooOften: RefusalPause;
}

/** @param returnCode of the CONNACK (MQTT 3.1.1, section 3.2.2.3): 3 is "server unavailable", 5 "not authorized" */
const refusal = (message: string, returnCode: 3 | 5 = 5): Error & { returnCode: number } =>
  Object.assign(new Error(message), { returnCode });

/** Decides whether a client may connect: viewers and connection limits here, devices in the main thread. */
export function admitClient(admission: ClientAdmission): NonNullable<AedesOptions['authenticate']> {
  const { port, identities, pendingConnections, viewers, tooOften } = admission;
  const connects = new TokenBuckets(CONNECT_QUOTA);
  return (client, username, _password, done) => {
    const identity = identities.of(client) ?? identities.name(client.conn, username);
    if (!identity) return done(refusal('no identity'), false);
    if (client.id.length > TOPIC_LIMIT_CHARACTERS || !mayConnect(identity, client.id)) {
      if (identity.kind === 'device')
        port.refuse({
          deviceId: identity.deviceId,
          reason: 'wrong-client-id',
          address: identity.address,
        });
      return done(refusal('the client ID does not match the identity'), false);
    }
    if (!isValidWill(client, identity)) return done(refusal('will not permitted'), false);
    if (identity.kind === 'viewer') {
      const isFull = viewers.isFull(identity.viewerId);
      return isFull ? done(refusal('too many connections', 3), false) : done(null, true);
    }
    const { kind: _kind, ...request } = identity;
    // Counted by certificate, so that connections with a superseded one do not use up the device's own limit.
    const quota = connects.of(request.fingerprint ?? request.deviceId);
    if (!quota.take()) {
      port.overflow(request.deviceId, 'connections');
      return tooOften.tell(() => done(refusal('too many connection attempts', 3), false));
    }
    pendingConnections.begin(request.deviceId, client.conn);
    port.askAdmission(request, (answer) => {
      if (answer === 'admitted') return done(null, true);
      if (answer === 'refused') return done(refusal('not admitted'), false);
      quota.giveBack();
      done(refusal('admission is unavailable', 3), false);
    });
  };
}
