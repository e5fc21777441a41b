import { StartError } from './start-error.ts';

const STOP_LIMIT_MS = 10_000;
/** Ctrl-C reaches a process from the terminal and again through npm and the start script. */
const SAME_SIGNAL_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a program until it ends or the operator stops it. The first SIGINT or SIGTERM requests a
 * drained stop within ten seconds; a second signal ends the process immediately. A `StartError`
 * prints one line and sets its exit code.
 *
 * @param work resolves when everything is stopped; a server waits for `stopRequested`
 */
export async function runProgram(
  work: (stopRequested: Promise<void>) => Promise<void>,
): Promise<void> {
  const { promise: stopRequested, resolve } = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt < SAME_SIGNAL_MS) return;
      endNow(`Received ${signal} again. Stopped without draining.`);
    }
    askedAt = performance.now();
    resolve();
    setTimeout(
      () => endNow('Shutdown took longer than 10 s. Stopped without draining.'),
      STOP_LIMIT_MS,
    ).unref();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // A closed terminal must not end a server that still has to drain.
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
    return `Port ${port} is already in use. Choose another one with --port (DEVICEPORTAL_PORT) or --mqtt-port (DEVICEPORTAL_MQTT_PORT).`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
