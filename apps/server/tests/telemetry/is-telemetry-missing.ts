import { existsSync } from 'node:fs';

const installed = new URL('../../../../packages/telemetry/node_modules', import.meta.url);

/** Whether the optional package is not installed. Tests that need it are then left out, with one line. */
export function isTelemetryMissing(): boolean {
  if (existsSync(installed)) return false;
  process.stdout.write('Skipped: tests that need telemetry (npm run add -- telemetry).\n');
  return true;
}
