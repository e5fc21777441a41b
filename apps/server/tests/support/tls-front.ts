import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
/** The request for TLS (PostgreSQL, frontend/backend protocol, SSLRequest). */
const REQUEST_BYTES = 8;

export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate that is its own authority, in PEM. */
export async function makeServerCertificate(address: string): Promise<ServerCertificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Database',
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new SubjectAlternativeNameExtension([{ type: 'ip', value: address }]),
    ],
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  return { certificate: certificate.toString('pem'), key };
}

export interface TlsFront extends AsyncDisposable {
  readonly port: number;
  /** Connections that did not ask for TLS. */
  readonly plain: number;
}

/**
 * Gives a PostgreSQL server on a Unix socket a TLS port on 127.0.0.1.
 *
 * @param accepts decides by the password instead of the server, which trusts this front
 */
export async function openTlsFront(
  socketDir: string,
  { certificate: cert, key }: ServerCertificate,
  accepts?: (password: string) => boolean,
): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  let plain = 0;
  const server = createServer((inward) => {
    sockets.add(inward);
    inward.on('error', () => {});
    inward.once('data', (request) => {
      if (request.length !== REQUEST_BYTES) {
        plain += 1;
        inward.destroy();
        return;
      }
      inward.write('S');
      const secured = new TLSSocket(inward, { isServer: true, cert, key });
      const outward = connect(`${socketDir}/.s.PGSQL.5432`);
      sockets.add(outward);
      for (const socket of [secured, outward]) socket.on('error', () => inward.destroy());
      const forward = (): void => void secured.pipe(outward).pipe(secured);
      if (accepts === undefined) forward();
      else askForPassword(secured, accepts, (startup) => outward.write(startup, forward));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get plain() {
      return plain;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const askForCleartext = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const rejection = Buffer.from('SFATAL\0C28000\0MPAM authentication failed\0\0');

/** AuthenticationCleartextPassword and PasswordMessage, as Amazon RDS asks for tokens. */
function askForPassword(
  client: TLSSocket,
  accepts: (password: string) => boolean,
  admit: (startup: Buffer) => void,
): void {
  client.once('data', (startup: Buffer) => {
    client.write(askForCleartext);
    client.once('data', (message: Buffer) => {
      client.pause();
      if (accepts(message.subarray(5, -1).toString())) admit(startup);
      else {
        const length = Buffer.alloc(4);
        length.writeInt32BE(rejection.length + 4);
        client.end(Buffer.concat([Buffer.from('E'), length, rejection]));
      }
    });
  });
}
