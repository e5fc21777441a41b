import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openCertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { createFileSecrets } from '../../../src/platform/secrets/file-secret-engine.ts';
import { hasMosquitto, Mosquitto } from './mosquitto.ts';
import { hasNats, startNatsCluster } from './nats.ts';
import { hasRmqtt, startRmqtt } from './rmqtt.ts';

export interface BrokerNodes {
  /** Of the portal. */
  readonly settings: Readonly<Record<string, string>>;
  /** kill -9 of the first node: no will of its devices is published. */
  readonly killOne: () => Promise<void>;
}

export interface BrokerNodesKind {
  readonly name: string;
  /** What is missing here; undefined if they can be started. */
  readonly lacks: string | undefined;
  /** @param dataDir contains the certificate authority of the portal */
  readonly start: (dataDir: string, resources: AsyncDisposableStack) => Promise<BrokerNodes>;
}

export const mosquittoNodes: BrokerNodesKind = {
  name: 'three independent Mosquitto',
  lacks: hasMosquitto ? undefined : 'mosquitto',
  async start(dataDir, resources) {
    const nodes = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => {
        const options = await optionsOf(dataDir, name);
        return resources.use(await Mosquitto.start(options));
      }),
    );
    const [first] = nodes;
    return {
      settings: {
        ...filesOf(first?.access),
        DEVICEPORTAL_MQTT_URL: nodes.map(({ access }) => access.url).join(','),
        DEVICEPORTAL_MQTT_NODES: 'each',
      },
      killOne: async () => first?.kill(),
    };
  },
};

export const natsNodes: BrokerNodesKind = {
  name: 'a cluster of three NATS',
  lacks: hasNats ? undefined : 'NATS (.ci/parts/aws)',
  async start(dataDir, resources) {
    const options = await optionsOf(dataDir, 'nats');
    const { nodes, access } = resources.use(await startNatsCluster(options));
    return {
      settings: {
        ...filesOf(access),
        DEVICEPORTAL_NATS_URL: access.urls.join(','),
        DEVICEPORTAL_NATS_ISSUER_FILE: access.issuerFile,
        DEVICEPORTAL_MQTT_DEVICE_URLS: access.deviceUrls.join(','),
      },
      killOne: async () => nodes[0]?.kill(),
    };
  },
};

export const rmqttNodes: BrokerNodesKind = {
  name: 'three independent RMQTT',
  lacks: hasRmqtt ? undefined : 'RMQTT (.ci/parts/rmqtt)',
  async start(dataDir, resources) {
    const options = await optionsOf(dataDir, 'rmqtt');
    const { nodes, access } = resources.use(await startRmqtt({ ...options, isCluster: false }));
    return {
      settings: {
        ...filesOf(access),
        DEVICEPORTAL_MQTT_URL: access.urls.join(','),
        DEVICEPORTAL_MQTT_NODES: 'each',
      },
      killOne: async () => nodes[0]?.kill(),
    };
  },
};

async function optionsOf(dataDir: string, name: string) {
  const directory = join(dataDir, name);
  await mkdir(directory, { recursive: true });
  // Mosquitto reads its files as another user.
  await chmod(directory, 0o755);
  const store = createFileSecrets(dataDir);
  return { directory, authority: await openCertificateAuthority({ store, hosts: [] }) };
}

const filesOf = (access?: {
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}): Record<string, string> => ({
  DEVICEPORTAL_MQTT_CA_FILE: access?.caFile ?? '',
  DEVICEPORTAL_MQTT_CERTIFICATE_FILE: access?.certificateFile ?? '',
  DEVICEPORTAL_MQTT_KEY_FILE: access?.keyFile ?? '',
});
