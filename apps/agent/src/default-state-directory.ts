import { homedir } from 'node:os';
import { join } from 'node:path';

/** System-wide for root, per user otherwise. */
export function defaultStateDirectory(): string {
  if (process.getuid?.() !== 0) return join(homedir(), '.deviceportal-agent');
  return process.platform === 'darwin'
    ? '/var/db/deviceportal-agent'
    : '/var/lib/deviceportal-agent';
}
