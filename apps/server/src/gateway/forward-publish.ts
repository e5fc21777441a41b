import { parseUpTopic } from '@deviceportal/device-protocol/topics';
import type { BatchPort } from './broker/broker-batch-port.ts';
import type { BrokerIdentity } from './broker/broker-policy.ts';
import type { DeviceThrottle } from './device-throttle.ts';
import type { HeldPubacks } from './broker/held-pubacks.ts';

interface ForwardedMessage {
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
 * Passes a permitted message to the main thread. Done here and not after `broker.publish`, because only here can the
 * broker delay the PUBACK, and because wills pass here, too.
 */
export function forwardPublish(
  lines: {
    readonly port: BatchPort;
    readonly held: HeldPubacks;
    readonly throttle: DeviceThrottle;
  },
  { identity, connection, packet }: ForwardedMessage,
  done: (error?: Error | null) => void,
): void {
  const { port, held, throttle } = lines;
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
  const waitMs = throttle.waitMs(deviceId, message.payload.byteLength);
  const answer = waitMs === 0 ? taken : (): void => void setTimeout(taken, waitMs);
  port.up(message, isHeld ? () => held.hold(deviceId, answer) : answer);
}
