import { StartError } from './start-error.ts';

const STOP_LIMIT_MS = 10_000;
/** Ctrl-C reaches a program from the terminal and again through npm and the start script. */
const SAME_SIGNAL_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a program until it ends or the operator stops it. The first SIGINT or SIGTERM asks for a drained stop, which
 * gets ten seconds; a second signal ends the process at once. A `StartError` is one line and its exit code.
 *
 * @param work resolves when everything is stopped; waits for `stopRequested` where it serves
 */
export async function runProgram(
  work: (stopRequested: Promise<void>) => Promise<void>,
): Promise<void> {
  const { promise: stopRequested, resolve } = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt < SAME_SIGNAL_MS) return;
      endNow(`${signal} again: stopped without draining.`);
    }
    askedAt = performance.now();
    resolve();
    setTimeout(
      () => endNow('The stop took longer than 10 s: stopped without draining.'),
      STOP_LIMIT_MS,
    ).unref();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // A terminal that is gone must not end a server that still has to drain.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    await work(stopRequested);
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n`);
    process.exitCode = error instanceof StartError ? error.exitCode : 1;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

function endNow(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function lineOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program; choose another with --port (DEVICEPORTAL_PORT) or --mqtt-port (DEVICEPORTAL_MQTT_PORT).`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
