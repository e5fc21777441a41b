import { readConfig } from '../platform/config/read-config.ts';
import { beginEmbedded } from '../platform/database/embedded/begin-embedded.ts';
import { endAtUnhandledError } from '../platform/process/end-at-unhandled-error.ts';
import { createLogger } from '../platform/logging.ts';
import { startLines } from './start-lines.ts';

/** Runs the server from reading its settings to its drained stop. */
export async function serve(stopRequested: Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const config = readConfig({
    argv: process.argv.slice(2),
    env: process.env,
    workingDir: process.cwd(),
  });
  const logger = createLogger(config);
  endAtUnhandledError(config);
  await using begun = await beginEmbedded(config, logger);
  // Imported after the settings are validated, so that errors in them are reported immediately.
  const { compose } = await import('./compose.ts');
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const server = await compose(config, logger, print, begun);
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`${startLines({ config, server, seconds }).join('\n')}\n`);
  const failure = await Promise.race([stopRequested, server.failed]);
  process.stdout.write('Stopping …\n');
  await server[Symbol.asyncDispose]();
  if (failure !== undefined) throw failure;
  process.stdout.write('Stopped.\n');
}
