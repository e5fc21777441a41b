import { homedir } from 'node:os';
import { join } from 'node:path';

/** Of the whole machine for root, of the person for everybody else. */
export function defaultStateDirectory(): string {
  if (process.getuid?.() !== 0) return join(homedir(), '.deviceportal-agent');
  return process.platform === 'darwin'
    ? '/var/db/deviceportal-agent'
    : '/var/lib/deviceportal-agent';
}
