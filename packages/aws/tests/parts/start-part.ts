import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../../apps/server/src/platform/http/find-free-port.ts';

/** A running stand-in for a service of AWS, on the loopback interface. */
export interface RunningPart extends AsyncDisposable {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** `kill -9`. */
  kill(): Promise<void>;
}

/** What a client needs to know. */
export type PartAddress = Pick<RunningPart, 'endpoint' | 'region' | 'credentials'>;

interface PartProgram {
  readonly program: string;
  /** With the port on which it is to listen. */
  readonly args: (port: number) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Less memory, and a faster start. */
export const javaOptions = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const START_LIMIT_MS = 60_000;
export const partCredentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMIEXAMPLEKEY',
};

/** Starts a program and waits until it answers HTTP. It is ended by its ID. */
export async function startPart(part: PartProgram): Promise<RunningPart> {
  const { program, args, env, cwd } = part;
  const port = await findFreePort('127.0.0.1');
  const child = spawn(program, args(port), {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => void (output = (output + piece.toString()).slice(-4_000)));
  }
  const ended = once(child, 'close');
  ended.catch((error: unknown) => void (output += String(error)));
  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended.catch(() => {});
  };
  const endpoint = `http://127.0.0.1:${port}`;
  const startedAt = Date.now();
  while (!(await answers(endpoint))) {
    const isOver = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
    if (isOver || Date.now() - startedAt > START_LIMIT_MS) {
      await end();
      throw new Error(`${program} does not answer:\n${output}`);
    }
    await sleep(50);
  }
  return {
    endpoint,
    region: 'us-east-1',
    credentials: partCredentials,
    kill: end,
    [Symbol.asyncDispose]: end,
  };
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(endpoint, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
