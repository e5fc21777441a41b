import { parseUpTopic } from '@deviceportal/device-protocol/topics';
import type { BatchPort } from './broker/broker-batch-port.ts';
import type { BrokerIdentity } from './broker/broker-policy.ts';
import type { DevicePace } from './device-pace.ts';
import type { HeldPubacks } from './broker/held-pubacks.ts';

interface Captured {
  readonly identity: BrokerIdentity;
  /** MQTT client id. */
  readonly connection: string;
  readonly packet: {
    readonly topic: string;
    readonly payload: string | Buffer;
    readonly qos: number;
  };
}

/**
 * Takes a message that its sender may publish to the main thread. Here and not after `broker.publish`, because
 * this is the one place where the broker lets the PUBACK wait, and where wills pass, too.
 */
export function captureUp(
  lines: { readonly port: BatchPort; readonly held: HeldPubacks; readonly pace: DevicePace },
  { identity, connection, packet }: Captured,
  done: (error?: Error | null) => void,
): void {
  const { port, held, pace } = lines;
  const taken = (): void => done(null);
  if (identity.kind === 'viewer') {
    const payload = packet.payload.toString();
    port.watch({ connection, viewerId: identity.viewerId, payload });
    return taken();
  }
  const channel = parseUpTopic(packet.topic)?.channel;
  if (channel === undefined) return taken();
  const { deviceId } = identity;
  const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
  // A copy: the parser's buffer is a slice of a pool, and posting would copy the whole pool.
  const message = {
    ...{ deviceId, channel },
    payload: Uint8Array.prototype.slice.call(payload),
    ...(channel === 'status' && { address: identity.address }),
  };
  const isHeld = channel === 'journal' && packet.qos === 1;
  const waitMs = pace.waitMs(deviceId, message.payload.byteLength);
  const answer = waitMs === 0 ? taken : (): void => void setTimeout(taken, waitMs);
  port.up(message, isHeld ? () => held.hold(deviceId, answer) : answer);
}
