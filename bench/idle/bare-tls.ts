import { createServer, type TLSSocket } from 'node:tls';
import { generate, parser, type Packet } from 'mqtt-packet';
import type { CertificateAuthority } from '../../apps/server/src/gateway/certificates/certificate-authority.ts';
import { listen } from '../../apps/server/src/gateway/listen.ts';

export interface BareTls extends AsyncDisposable {
  readonly port: number | null;
}

/**
 * A TLS server that requires client certificates, as the broker does, and keeps nothing for a connection: it only
 * acknowledges what a device sends when it connects. What a connection costs here, Node itself needs for it.
 */
export async function openBareTls({
  authorities,
  server: { certificate, key },
}: Pick<CertificateAuthority, 'authorities' | 'server'>): Promise<BareTls> {
  const sockets = new Set<TLSSocket>();
  const server = createServer({ ca: authorities, cert: certificate, key, requestCert: true });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('data', (chunk: Buffer) => acknowledge(socket, chunk));
    socket.on('error', () => socket.destroy());
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The first packets of a device are not split, so that no parser has to be kept. */
function acknowledge(socket: TLSSocket, chunk: Buffer): void {
  const packets = parser();
  packets.on('packet', (packet) => {
    const answer = acknowledgmentOf(packet);
    if (answer !== undefined) socket.write(generate(answer));
  });
  packets.parse(chunk);
}

function acknowledgmentOf(packet: Packet): Packet | undefined {
  switch (packet.cmd) {
    case 'connect':
      return { cmd: 'connack', returnCode: 0, sessionPresent: false };
    case 'subscribe':
      return {
        cmd: 'suback',
        messageId: packet.messageId ?? 0,
        granted: packet.subscriptions.map(({ qos }) => qos),
      };
    case 'publish':
      return packet.qos === 1 ? { cmd: 'puback', messageId: packet.messageId ?? 0 } : undefined;
    case 'pingreq':
      return { cmd: 'pingresp' };
    default:
      return undefined;
  }
}
