import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { MeshCentralPlace } from './meshcentral-place.ts';

/** A message of MeshCentral in JSON. */
export interface MeshMessage {
  readonly action: string;
  readonly type?: string;
  readonly responseid?: string;
  readonly [name: string]: unknown;
}

export interface MeshNode {
  readonly _id: string;
  readonly name: string;
  /** Connected if the lowest bit is set. */
  readonly conn?: number;
}

/** The WebSocket by which the web site of MeshCentral and its command line work. */
export interface ControlChannel extends AsyncDisposable {
  send(message: object): void;
  /** The first answer that matches. */
  ask(message: object, isAnswer: (answer: MeshMessage) => boolean): Promise<MeshMessage>;
  onMessage(listener: (message: MeshMessage) => void): Disposable;
  listNodes(limit?: number): Promise<readonly MeshNode[]>;
}

const ALL = 100_000;

export async function openControlChannel({
  port,
  account,
}: MeshCentralPlace): Promise<ControlChannel> {
  const words = [account.name, account.password].map((word) =>
    Buffer.from(word).toString('base64'),
  );
  const socket = new WebSocket(`wss://127.0.0.1:${port}/control.ashx`, {
    rejectUnauthorized: false,
    headers: { 'x-meshauth': words.join(',') },
  });
  const listeners = new Set<(message: MeshMessage) => void>();
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as MeshMessage;
    for (const listener of listeners) listener(message);
  });
  await once(socket, 'open');
  const channel: ControlChannel = {
    send: (message) => socket.send(JSON.stringify(message)),
    async ask(message, isAnswer) {
      const { promise, resolve } = Promise.withResolvers<MeshMessage>();
      using _ = channel.onMessage((answer) => {
        if (isAnswer(answer)) resolve(answer);
      });
      channel.send(message);
      return await promise;
    },
    onMessage(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async listNodes(limit = ALL) {
      const question = { action: 'nodes', skip: 0, limit, responseid: 'nodes' };
      const { nodes } = await channel.ask(question, ({ action }) => action === 'nodes');
      return Object.values(nodes as Readonly<Record<string, readonly MeshNode[]>>).flat();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
  return channel;
}
