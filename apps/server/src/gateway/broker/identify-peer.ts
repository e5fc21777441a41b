import type { TLSSocket } from 'node:tls';
import type { BrokerIdentity } from './broker-policy.ts';

export type DeviceIdentity = Extract<BrokerIdentity, { kind: 'device' }>;

/** The device that the certificate names; undefined if it names none. */
export function identifyPeer(socket: TLSSocket): DeviceIdentity | undefined {
  const peer = socket.getPeerCertificate();
  const commonName: unknown = peer.subject?.CN;
  const unit: unknown = peer.subject?.OU;
  if (typeof commonName !== 'string') return undefined;
  return {
    kind: 'device',
    deviceId: commonName,
    fingerprint: peer.fingerprint256.replaceAll(':', '').toLowerCase(),
    instanceId: typeof unit === 'string' ? unit : null,
    certificateStartsAt: new Date(peer.valid_from).toISOString(),
    certificateEndsAt: new Date(peer.valid_to).toISOString(),
    address: socket.remoteAddress ?? null,
  };
}
