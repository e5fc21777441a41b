/** Messages of devices that are not connected: published by one client that the broker trusts with all topics. */

import { randomUUID } from 'node:crypto';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { upTopic } from '@deviceportal/device-protocol/topics';
import { evenly } from './evenly.ts';
import { answerRequests } from './helper-process.ts';

export interface CrowdDevice {
  readonly deviceId: string;
  readonly instanceId: string;
}

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

export type CrowdOrder =
  | {
      readonly kind: 'open';
      readonly url: string;
      readonly options: Pick<IClientOptions, 'ca' | 'key' | 'cert'>;
      readonly devices: readonly CrowdDevice[];
    }
  /** Of as many devices as send one in this interval at this rate, or of all if those are fewer. */
  | ({
      readonly kind: 'heartbeats';
      readonly everySeconds: number;
      readonly connectionRevision: string;
    } & Rate)
  /** Of every n-th device. */
  | ({ readonly kind: 'events'; readonly every: number } & Rate);

let client: MqttClient | undefined;
let devices: readonly CrowdDevice[] = [];
let next = 0;
const epoch = randomUUID();
const sequences = new Map<string, number>();

function publish(
  { deviceId }: CrowdDevice,
  channel: 'heartbeat' | 'journal',
  message: object,
): void {
  client?.publish(upTopic(deviceId, channel), JSON.stringify(message), {
    qos: channel === 'journal' ? 1 : 0,
  });
}

/** As long as those of the agent. */
function sendHeartbeat(order: Extract<CrowdOrder, { kind: 'heartbeats' }>): void {
  const sending = Math.min(devices.length, Math.ceil(order.perSecond * order.everySeconds));
  const device = devices[next++ % sending];
  if (!device) return;
  const { everySeconds, connectionRevision } = order;
  publish(device, 'heartbeat', {
    ...{ failing: [], diskUsedPercent: 41, memoryUsedPercent: 63 },
    uptimeSeconds: Math.round(performance.now() / 1_000),
    instanceId: device.instanceId,
    at: new Date().toISOString(),
    ...{ everySeconds, connectionRevision },
  });
}

function sendEvent(device: CrowdDevice | undefined): void {
  if (!device) return;
  const seq = (sequences.get(device.deviceId) ?? 0) + 1;
  sequences.set(device.deviceId, seq);
  const data = { service: 'kiosk', exitCode: 139, restarts: seq };
  publish(device, 'journal', {
    ...{ instanceId: device.instanceId, epoch, oldest: seq },
    entries: [{ seq, at: new Date().toISOString(), kind: 'event', type: 'service-crashed', data }],
  });
}

answerRequests<CrowdOrder>(async (order) => {
  if (order.kind === 'open') {
    client = await mqtt.connectAsync(order.url, {
      ...order.options,
      ...{ protocolVersion: 4, clientId: `crowd-${randomUUID()}` },
    });
    client.on('error', (error) => console.error('crowd', error));
    client.on('close', () => console.error('crowd: connection lost'));
    devices = order.devices;
    return devices.length;
  }
  if (order.kind === 'heartbeats') return evenly(order, () => sendHeartbeat(order));
  const broken = devices.filter((_, index) => index % order.every === 0);
  return evenly(order, (index) => sendEvent(broken[index % broken.length]));
});
