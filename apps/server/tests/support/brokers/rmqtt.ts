import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf } from '../../../../../packages/aws/tests/parts/parts.ts';
import type { CertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { findFreePort } from '../../../src/platform/http/find-free-port.ts';
import { BrokerProcess } from './broker-process.ts';
import { createGatewayCertificate } from './create-gateway-certificate.ts';

const program = join(folderOf('RMQTT'), 'bin', 'rmqttd');
export const hasRmqtt = existsSync(program);
const CLUSTER = ['rmqtt-shared-subscription', 'rmqtt-cluster-raft'].flatMap((plugin) => [
  '--plugins-default-startups',
  plugin,
]);
const shipped = new URL('../../../../../deploy/rmqtt/', import.meta.url).pathname;

/** Settings of the portal for these nodes (docs/guides/device-transport.md). */
export interface RmqttAccess {
  readonly urls: readonly string[];
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface RmqttNodes extends AsyncDisposable {
  readonly nodes: readonly BrokerProcess[];
  readonly access: RmqttAccess;
}

interface Ports {
  readonly clients: number;
  readonly rpc: number;
  readonly raft: number;
}

const findPorts = async (): Promise<Ports> => ({
  clients: await findFreePort('127.0.0.1'),
  rpc: await findFreePort('127.0.0.1'),
  raft: await findFreePort('127.0.0.1'),
});

/**
 * Three nodes with the configuration of `deploy/rmqtt`, on this machine: only addresses and files differ, which their
 * environment sets.
 *
 * @param options.directory for their files
 * @param options.isCluster whether they exchange messages
 */
export async function startRmqtt(options: {
  readonly directory: string;
  readonly isCluster: boolean;
  readonly authority: Pick<CertificateAuthority, 'authorities' | 'server' | 'sign'>;
}): Promise<RmqttNodes> {
  const { directory, authority, isCluster } = options;
  await using starting = new AsyncDisposableStack();
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text, { mode: 0o600 });
    return join(directory, name);
  };
  const gateway = await createGatewayCertificate(authority);
  const caFile = await write('authorities.crt', authority.authorities);
  const { key, certificate: own } = authority.server;
  const serverFile = await write('server.pem', key + own);
  const ports = await Promise.all([findPorts(), findPorts(), findPorts()]);
  const addresses = (kind: keyof Ports): string =>
    ports.map((each, index) => `${index + 1}@127.0.0.1:${each[kind]}`).join(' ');
  const nodes = await Promise.all(
    ports.map(async (each, index) => {
      const folder = join(directory, `node-${index + 1}`);
      await mkdir(folder);
      await cp(shipped, folder, { recursive: true });
      return starting.use(
        new BrokerProcess({
          program,
          args: ['--id', `${index + 1}`, ...(isCluster ? CLUSTER : [])],
          directory: folder,
          ports: [each.clients],
          environment: {
            'RMQTT_LISTENER.TLS.EXTERNAL.ADDR': `127.0.0.1:${each.clients}`,
            'RMQTT_LISTENER.TLS.EXTERNAL.CLIENT_CA_CERTS': caFile,
            'RMQTT_LISTENER.TLS.EXTERNAL.CERT': serverFile,
            'RMQTT_LISTENER.TLS.EXTERNAL.KEY': serverFile,
            'RMQTT_RPC.SERVER_ADDR': `127.0.0.1:${each.rpc}`,
            RMQTT_PLUGIN_RMQTT_CLUSTER_RAFT_NODE_GRPC_ADDRS: addresses('rpc'),
            RMQTT_PLUGIN_RMQTT_CLUSTER_RAFT_RAFT_PEER_ADDRS: addresses('raft'),
            RMQTT_PLUGIN_RMQTT_CLUSTER_RAFT_LADDR: `127.0.0.1:${each.raft}`,
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
      urls: ports.map(({ clients }) => `mqtts://localhost:${clients}`),
      caFile,
      certificateFile: await write('gateway.crt', gateway.certificate),
      keyFile: await write('gateway.key', gateway.key),
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
