import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';

/** Ports of this machine in place of the machines that `deploy` names. */
export interface LoopbackPorts {
  readonly servers: Readonly<Record<ServerName, number>>;
  readonly portal: number;
  readonly redirect: number;
  readonly devices: number;
  readonly broker: number;
}

export const serverNames = ['one', 'two', 'three'] as const;
export type ServerName = (typeof serverNames)[number];

export async function findLoopbackPorts(): Promise<LoopbackPorts> {
  const free = (): Promise<number> => findFreePort('127.0.0.1');
  return {
    servers: { one: await free(), two: await free(), three: await free() },
    portal: await free(),
    redirect: await free(),
    devices: await free(),
    broker: await free(),
  };
}
