import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IClientOptions } from 'mqtt';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { isListening } from '../../apps/server/tests/support/is-listening.ts';
import { createKey, type BenchFleet } from '../device-fixture.ts';

/** One Mosquitto as in docs/guides/device-transport.md, with a user that reads its counters and stands for devices. */
export interface Broker {
  readonly url: string;
  readonly pid: number;
  /** Settings of the servers. */
  readonly settings: Readonly<Record<string, string>>;
  /** TLS options of the further user. */
  readonly access: Pick<IClientOptions, 'ca' | 'key' | 'cert'>;
}

const GATEWAY = 'deviceportal-gateway';
const BENCH = 'bench';
const RIGHTS = `user ${GATEWAY}
topic read deviceportal/devices/+/up/+
topic write deviceportal/devices/+/down/+

user ${BENCH}
topic read $SYS/broker/#
topic write deviceportal/devices/+/up/+

pattern write deviceportal/devices/%u/up/+
pattern read deviceportal/devices/%u/down/+
`;

export async function startBroker(
  resources: AsyncDisposableStack,
  dataDir: string,
  authority: BenchFleet['authority'],
): Promise<Broker> {
  const directory = join(dataDir, 'mosquitto');
  await mkdir(directory);
  // Mosquitto reads its files as another user.
  await chmod(directory, 0o755);
  const write = async (name: string, text: string): Promise<string> => {
    const file = join(directory, name);
    await writeFile(file, text);
    return file;
  };
  const own = await createKey();
  const issue = async (deviceId: string): Promise<string> =>
    (await authority.sign(own.request, { deviceId, instanceId: null })).certificate;
  const caFile = await write('authority.crt', authority.authorities);
  const keyFile = await write('gateway.key', own.key);
  const port = await findFreePort('127.0.0.1');
  const config = [
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    `listener ${port} 127.0.0.1`,
    `cafile ${caFile}`,
    `certfile ${await write('broker.crt', authority.server.certificate)}`,
    `keyfile ${await write('broker.key', authority.server.key)}`,
    'require_certificate true',
    'use_identity_as_username true',
    'allow_anonymous false',
    `acl_file ${await write('acl', RIGHTS)}`,
    ...['message_size_limit 131072', 'max_queued_messages 10000', 'sys_interval 1'],
  ];
  const child = spawn(
    'mosquitto',
    ['-c', await write('mosquitto.conf', `${config.join('\n')}\n`)],
    {
      stdio: 'ignore',
      env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
    },
  );
  resources.defer(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  });
  while (!(await isListening(port))) await sleep(50);
  const url = `mqtts://localhost:${port}`;
  return {
    url,
    pid: child.pid ?? 0,
    settings: {
      DEVICEPORTAL_MQTT_URL: url,
      DEVICEPORTAL_MQTT_CA_FILE: caFile,
      DEVICEPORTAL_MQTT_CERTIFICATE_FILE: await write('gateway.crt', await issue(GATEWAY)),
      DEVICEPORTAL_MQTT_KEY_FILE: keyFile,
    },
    access: { ca: authority.authorities, key: own.key, cert: await issue(BENCH) },
  };
}
