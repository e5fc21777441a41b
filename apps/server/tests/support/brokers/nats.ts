import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { folderOf } from '../../../../../packages/aws/tests/parts/parts.ts';
import type { CertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { signerOf, writeSeed } from '../../../src/gateway/nats/nats-keys.ts';
import { findFreePort } from '../../../src/platform/http/find-free-port.ts';
import { BrokerProcess } from './broker-process.ts';
import { createInfrastructureCertificate } from './infrastructure-certificate.ts';

const program = join(folderOf('NATS'), 'nats-server');
export const hasNats = existsSync(program);
const configFile = new URL('../../../../../deploy/nats/nats.conf', import.meta.url).pathname;

/** Settings of the portal for this cluster (docs/guides/device-transport.md). */
export interface NatsAccess {
  readonly urls: readonly string[];
  readonly deviceUrls: readonly string[];
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly issuerFile: string;
}

export interface NatsCluster extends AsyncDisposable {
  readonly nodes: readonly BrokerProcess[];
  readonly access: NatsAccess;
}

/**
 * Three nodes with the configuration of `deploy/nats`, on this machine.
 *
 * @param options.directory for their files
 */
export async function startNatsCluster(options: {
  readonly directory: string;
  readonly authority: Pick<CertificateAuthority, 'authorities' | 'server' | 'sign'>;
}): Promise<NatsCluster> {
  const { directory, authority } = options;
  await using starting = new AsyncDisposableStack();
  const infrastructure = join(directory, 'infrastructure');
  const gateway = createInfrastructureCertificate(infrastructure, 'deviceportal-gateway');
  const route = createInfrastructureCertificate(infrastructure, 'nats', 'localhost');
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text, { mode: 0o600 });
    return join(directory, name);
  };
  const private_ = await readFile(gateway.authorityFile, 'utf8');
  const caFile = await write('authorities.crt', authority.authorities + private_);
  const { key, certificate } = authority.server;
  const serverFile = await write('server.pem', key + certificate);
  const secret = randomBytes(32);
  const issuerFile = await write('issuer', `${writeSeed(secret, 'account')}\n`);
  const names = ['one', 'two', 'three'];
  const ports = await Promise.all(
    names.map(async () => ({
      gateways: await findFreePort('127.0.0.1'),
      devices: await findFreePort('127.0.0.1'),
      nodes: await findFreePort('127.0.0.1'),
    })),
  );
  const [one = 0, two = 0, three = 0] = ports.map(({ nodes }) => nodes);
  const nodes = await Promise.all(
    names.map(async (name, index) => {
      const own = ports[index] ?? { gateways: 0, devices: 0, nodes: 0 };
      await mkdir(join(directory, name));
      return starting.use(
        new BrokerProcess({
          program,
          args: ['-c', configFile],
          ports: [own.gateways, own.devices],
          environment: {
            NATS_NAME: name,
            NATS_LISTEN: `127.0.0.1:${own.gateways}`,
            NATS_MQTT_LISTEN: `127.0.0.1:${own.devices}`,
            NATS_CLUSTER_LISTEN: `127.0.0.1:${own.nodes}`,
            NATS_ROUTE_ONE: `tls://localhost:${one}`,
            NATS_ROUTE_TWO: `tls://localhost:${two}`,
            NATS_ROUTE_THREE: `tls://localhost:${three}`,
            NATS_CERTIFICATE: serverFile,
            NATS_AUTHORITIES: caFile,
            NATS_ROUTE_CERTIFICATE: route.certificateFile,
            NATS_ROUTE_KEY: route.keyFile,
            NATS_ROUTE_AUTHORITY: route.authorityFile,
            NATS_STORE: join(directory, name),
            NATS_ISSUER: signerOf(secret, 'account').name,
          },
        }),
      );
    }),
  );
  for (const node of nodes) node.start();
  await Promise.all(nodes.map((node) => node.untilListening()));
  const resources = starting.move();
  return {
    nodes,
    access: {
      urls: ports.map(({ gateways }) => `tls://localhost:${gateways}`),
      deviceUrls: ports.map(({ devices }) => `mqtts://localhost:${devices}`),
      caFile,
      certificateFile: gateway.certificateFile,
      keyFile: gateway.keyFile,
      issuerFile,
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
