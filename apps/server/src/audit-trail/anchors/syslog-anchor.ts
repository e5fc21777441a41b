import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import { blockLine } from './anchor-lines.ts';
import type { AnchorTarget } from './anchor-target.ts';

export interface SyslogSettings {
  /** `udp:`, `tcp:` or `tls:`, with a host and a port. */
  readonly url: string;
  /** PEM; undefined: those of Node. */
  readonly ca: string | undefined;
}

const TIMEOUT_MS = 10_000;
/** A receiver that keeps the connection open after ours has ended has taken what was sent. */
const CLOSE_MS = 2_000;
/** Facility 13 (log audit), severity 5 (notice). */
const PRIORITY = 13 * 8 + 5;
const PORTS: Readonly<Record<string, number>> = { 'udp:': 514, 'tcp:': 601, 'tls:': 6_514 };

/**
 * Sends blocks as syslog messages (RFC 5424): over UDP a datagram each (RFC 5426), over TCP (RFC 6587) and TLS (RFC 5425)
 * with their lengths. Syslog has no receipts: a message may be lost on the way, and only there.
 */
export function createSyslogAnchor({ url, ca }: SyslogSettings): AnchorTarget {
  const { protocol, hostname: host, port } = new URL(url);
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const address = { host: name, port: Number(port) || (PORTS[protocol] ?? 0) };
  return {
    name: 'syslog',
    everyMs: 0,
    newestOnly: false,
    async deliver(blocks) {
      const messages = blocks.map((block) => Buffer.from(syslogMessage(block)));
      if (protocol === 'udp:') await sendDatagrams(messages, address);
      else await sendStream(messages, () => connect(protocol, address, ca));
    },
  };
}

/** HEADER, no structured data, and the block as JSON, which is ASCII. */
function syslogMessage(block: AuditBlock): string {
  const host =
    hostname()
      .replaceAll(/[^!-~]/g, '')
      .slice(0, 255) || '-';
  return `<${PRIORITY}>1 ${block.sealedAt} ${host} device-portal ${process.pid} audit-block - ${blockLine(block)}`;
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
