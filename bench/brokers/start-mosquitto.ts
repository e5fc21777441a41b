import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { residentBytesOf, type BenchBroker, type BenchBrokerOptions } from './bench-broker.ts';

/** Without persistence, as in docs/guides/device-transport.md, and a subscriber in place of the gateway. */
export async function startMosquitto({
  resources,
  directory,
  fleet: { authority, devices, key },
}: BenchBrokerOptions): Promise<BenchBroker> {
  const port = await findFreePort('127.0.0.1');
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  const [gateway] = devices;
  const lines = [
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    `listener ${port} 127.0.0.1`,
    `cafile ${await write('authority.crt', authority.authorities)}`,
    `certfile ${await write('broker.crt', authority.server.certificate)}`,
    `keyfile ${await write('broker.key', authority.server.key)}`,
    ...['require_certificate true', 'use_identity_as_username true', 'allow_anonymous false'],
    'max_queued_messages 10000',
  ];
  const config = await write('mosquitto.conf', `${lines.join('\n')}\n`);
  const child = spawn('mosquitto', ['-c', config], {
    stdio: 'ignore',
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
  });
  resources.defer(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const subscriber = mqtt.connect(`mqtts://127.0.0.1:${port}`, {
    ...{ ca: authority.authorities, key, cert: gateway?.certificate ?? '' },
    ...{ protocolVersion: 4, clientId: 'gateway', reconnectPeriod: 200 },
  });
  resources.defer(() => subscriber.endAsync(true));
  subscriber.on('error', () => {});
  await new Promise<void>((resolve) => {
    subscriber.once('connect', () => resolve());
  });
  await subscriber.subscribeAsync('$share/bench/deviceportal/devices/+/up/+', { qos: 1 });
  return {
    brokerUrls: [`mqtts://127.0.0.1:${port}`],
    subscriptionQos: 1,
    residentBytes: () => residentBytesOf([child.pid]),
  };
}
