import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

export interface SyslogSettings {
  /** `udp:`, `tcp:` or `tls:`, with a host and a port. */
  readonly url: string;
  /** PEM; undefined: those of Node. */
  readonly ca: string | undefined;
}

export interface SyslogMessage {
  /** ISO 8601. */
  readonly at: string;
  /** MSGID: up to 32 printable ASCII characters. */
  readonly kind: string;
  /** ASCII. */
  readonly text: string;
}

const TIMEOUT_MS = 10_000;
/** A receiver that keeps the connection open after ours has ended has taken what was sent. */
const CLOSE_MS = 2_000;
/** Facility 13 (log audit), severity 5 (notice). */
const PRIORITY = 13 * 8 + 5;
const PORTS: Readonly<Record<string, number>> = { 'udp:': 514, 'tcp:': 601, 'tls:': 6_514 };

/**
 * Sends syslog messages (RFC 5424) to a receiver: over UDP a datagram each (RFC 5426), over TCP (RFC 6587) and TLS (RFC 5425)
 * with their lengths. Syslog has no receipts: a message may be lost on the way, and only there.
 *
 * @throws Error if the receiver does not take what is sent
 */
export function createSyslogSender({
  url,
  ca,
}: SyslogSettings): (messages: readonly SyslogMessage[]) => Promise<void> {
  const { protocol, hostname: host, port } = new URL(url);
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const address = { host: name, port: Number(port) || (PORTS[protocol] ?? 0) };
  return async (messages) => {
    const bytes = messages.map((message) => Buffer.from(textOf(message)));
    if (protocol === 'udp:') await sendDatagrams(bytes, address);
    else await sendStream(bytes, () => connect(protocol, address, ca));
  };
}

/** HEADER, no structured data, and the text. */
function textOf({ at, kind, text }: SyslogMessage): string {
  const host =
    hostname()
      .replaceAll(/[^!-~]/g, '')
      .slice(0, 255) || '-';
  return `<${PRIORITY}>1 ${at} ${host} device-portal ${process.pid} ${kind} - ${text}`;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

async function sendDatagrams(messages: readonly Buffer[], { host, port }: Address): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error ? reject(error) : resolve()));
      });
    }
  } finally {
    socket.close();
  }
}

function connect(protocol: string, { host, port }: Address, ca: string | undefined): Socket {
  if (protocol === 'tcp:') return connectTcp({ host, port });
  return connectTls({ host, port, ...(ca !== undefined && { ca }), servername: host });
}

/** Octet counting: each message after its length. */
async function sendStream(messages: readonly Buffer[], open: () => Socket): Promise<void> {
  const socket = open();
  const frames = messages.flatMap((message) => [Buffer.from(`${message.byteLength} `), message]);
  const closed = once(socket, 'close');
  closed.catch(() => {});
  try {
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('syslog: connection timed out')));
    const failed = once(socket, 'error').then(([error]) => {
      throw error;
    });
    failed.catch(() => {});
    const taken = new Promise<void>((resolve) => {
      socket.end(Buffer.concat(frames), () => resolve());
    });
    // What is sent is read to its end: an unread answer would keep the connection open.
    socket.resume();
    await Promise.race([taken, failed]);
    await Promise.race([closed, failed, sleep(CLOSE_MS, undefined, { ref: false })]);
  } finally {
    socket.destroy();
  }
}
