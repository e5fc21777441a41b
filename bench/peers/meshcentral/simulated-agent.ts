import { createHash, randomBytes, sign } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import type { AgentIdentity } from './agent-identities.ts';

export interface SimulatedAgents {
  readonly url: string;
  readonly group: Buffer;
  readonly programHash: Buffer;
  /** Of the core that the server has sent to the first agent. */
  coreHash: Buffer | undefined;
}

/** The first two bytes of a binary message. */
const kinds = {
  nonce: 1,
  signature: 2,
  information: 3,
  authenticated: 4,
  core: 10,
  coreHash: 11,
  programHash: 12,
  coreIsCurrent: 16,
} as const;

const PING_MS = 120_000;
const HASH_BYTES = 48;
const LINUX_X64 = 6;
const HEADLESS_LINUX = 5;
/** Terminal, files, console, and JavaScript. */
const CAPABILITIES = 2 | 4 | 8 | 16;
const OUTPUT = 'x'.repeat(450);

/** Resolves when the server has authenticated the agent and knows that its core is current. */
export function connectAgent(agents: SimulatedAgents, identity: AgentIdentity): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(agents.url, { rejectUnauthorized: false, perMessageDeflate: false });
  const nonce = randomBytes(HASH_BYTES);
  let serverHash: Buffer = Buffer.alloc(0);
  let isReady = false;
  socket.once('error', reject);
  socket.once('close', () => {
    if (!isReady) reject(new Error('the server closed the connection of an agent'));
  });
  socket.once('upgrade', ({ socket: transport }) => {
    const tls = transport as TLSSocket;
    tls.setNoDelay(true);
    serverHash = sha384(tls.getPeerCertificate().raw);
  });
  socket.once('open', () => socket.send(binary(kinds.nonce, serverHash, nonce)));
  socket.on('message', (data: Buffer) => {
    if (data[0] === 0x7b) return answerJson(socket, data);
    const kind = data.readUInt16BE(0);
    if (kind === kinds.nonce) {
      const signed = Buffer.concat([serverHash, data.subarray(2 + HASH_BYTES), nonce]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(identity.certificate.length);
      const signature = sign('sha384', signed, identity.key);
      socket.send(binary(kinds.signature, length, identity.certificate, signature));
      socket.send(information(agents.group, identity.name));
    } else if (kind === kinds.programHash) {
      socket.send(binary(kinds.programHash, Buffer.alloc(2), agents.programHash));
    } else if (kind === kinds.coreHash) {
      socket.send(binary(kinds.coreHash, Buffer.alloc(2), agents.coreHash ?? Buffer.alloc(0)));
    } else if (kind === kinds.core && data.length > 4) {
      agents.coreHash = Buffer.from(data.subarray(4, 4 + HASH_BYTES));
      socket.send(binary(kinds.coreHash, Buffer.alloc(2), agents.coreHash));
    } else if (kind === kinds.coreIsCurrent) {
      isReady = true;
      for (const message of describeItself(identity.name)) socket.send(asBytes(message));
      setInterval(() => socket.ping(), PING_MS).unref();
      resolve();
    }
  });
  return promise;
}

/** What the core of a real agent sends after its start. */
const describeItself = (name: string): object[] => [
  {
    ...{ action: 'coreinfo', value: 'MeshCore v6', caps: CAPABILITIES, root: true },
    ...{ osdesc: 'Debian GNU/Linux 13', name },
  },
  {
    action: 'netinfo',
    netif2: {
      eth0: [{ family: 'IPv4', address: '192.0.2.1', mac: '00:00:5E:00:53:01', status: 'up' }],
    },
  },
];

function answerJson(socket: WebSocket, data: Buffer): void {
  const message = JSON.parse(data.toString()) as { action: string; responseid?: string };
  const { action, responseid } = message;
  if (action === 'ping') socket.send(asBytes({ action: 'pong' }));
  if (action === 'runcommands')
    socket.send(asBytes({ action: 'msg', type: 'runcommands', result: OUTPUT, responseid }));
}

function information(group: Buffer, name: string): Buffer {
  const numbers = Buffer.alloc(16);
  numbers.writeUInt32BE(1, 0);
  numbers.writeUInt32BE(LINUX_X64, 4);
  numbers.writeUInt32BE(0, 8);
  numbers.writeUInt32BE(HEADLESS_LINUX, 12);
  const end = Buffer.alloc(6);
  end.writeUInt32BE(CAPABILITIES, 0);
  end.writeUInt16BE(Buffer.byteLength(name), 4);
  return binary(kinds.information, numbers, group, end, Buffer.from(name));
}

function binary(kind: number, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(kind);
  return Buffer.concat([head, ...parts]);
}

const asBytes = (message: object): Buffer => Buffer.from(JSON.stringify(message));

const sha384 = (bytes: Uint8Array): Buffer => createHash('sha384').update(bytes).digest();
