import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A timestamp authority: `openssl ts` behind HTTP, with its own certificate authority. */
export interface OpensslTsa extends AsyncDisposable {
  readonly url: string;
  readonly roots: readonly X509Certificate[];
  /** The certificate with which it signs. */
  readonly certificate: X509Certificate;
  /** PEM of the certificate authority. */
  readonly caFile: string;
  /** Whether it responds. */
  isUp: boolean;
  /** Sent for every request; null: a real response. */
  replay: Buffer | null;
  /** The last response. */
  readonly last: () => Buffer | null;
}

export interface OpensslTsaOptions {
  /** Extended key usage of its certificate. */
  readonly usage?: string;
  readonly key?: 'rsa:2048' | 'ec';
}

const TSA_CONFIG = `
[tsa]
default_tsa = own
[own]
serial = $dir/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

export async function startOpensslTsa(options: OpensslTsaOptions = {}): Promise<OpensslTsa> {
  const dir = await mkdtemp(join(tmpdir(), 'dp-tsa-'));
  await makeCertificates(dir, options);
  await writeFile(join(dir, 'tsa.cnf'), TSA_CONFIG.replaceAll('$dir', dir));
  await writeFile(join(dir, 'serial'), '01\n');
  let last: Buffer | null = null;
  const server = createServer((request, response) => {
    // A kept connection could end between two tests.
    response.setHeader('connection', 'close');
    if (!tsa.isUp) {
      response.writeHead(503).end();
      return;
    }
    answer(request).then(
      (der) => {
        last = der;
        response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(der);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const answer = async (request: IncomingMessage): Promise<Buffer> => {
    const body: Buffer[] = [];
    for await (const piece of request) body.push(piece as Buffer);
    return tsa.replay ?? reply(dir, Buffer.concat(body));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const caFile = join(dir, 'ca.pem');
  const tsa: OpensslTsa = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    roots: [new X509Certificate(await readFile(caFile))],
    certificate: new X509Certificate(await readFile(join(dir, 'tsa.pem'))),
    caFile,
    isUp: true,
    replay: null,
    last: () => last,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true, force: true });
    },
  };
  return tsa;
}

async function reply(dir: string, query: Buffer): Promise<Buffer> {
  const [asked, answered] = [join(dir, 'query.tsq'), join(dir, 'answer.tsr')];
  await writeFile(asked, query);
  await run('openssl', [
    ...['ts', '-reply', '-config', join(dir, 'tsa.cnf'), '-queryfile', asked, '-out', answered],
    ...[
      '-signer',
      join(dir, 'tsa.pem'),
      '-inkey',
      join(dir, 'tsa.key'),
      '-chain',
      join(dir, 'ca.pem'),
    ],
  ]);
  return readFile(answered);
}

async function makeCertificates(
  dir: string,
  { usage = 'critical,timeStamping', key = 'rsa:2048' }: OpensslTsaOptions,
): Promise<void> {
  const newKey =
    key === 'ec' ? ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] : ['-newkey', key];
  const at = (name: string): string => join(dir, name);
  await run('openssl', [
    ...['req', '-x509', ...newKey, '-nodes', '-days', '30', '-subj', '/CN=Test TSA root'],
    ...[
      '-keyout',
      at('ca.key'),
      '-out',
      at('ca.pem'),
      '-addext',
      'basicConstraints=critical,CA:TRUE',
    ],
  ]);
  await run('openssl', [
    ...['req', ...newKey, '-nodes', '-subj', '/CN=Test TSA'],
    ...['-keyout', at('tsa.key'), '-out', at('tsa.csr')],
  ]);
  await writeFile(at('ext.cnf'), `extendedKeyUsage=${usage}\nkeyUsage=critical,digitalSignature\n`);
  await run('openssl', [
    ...['x509', '-req', '-in', at('tsa.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key')],
    ...['-CAcreateserial', '-days', '30', '-extfile', at('ext.cnf'), '-out', at('tsa.pem')],
  ]);
}
