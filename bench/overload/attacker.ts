/**
 * An attacker in a separate process with the lowest priority, which tries as often as the server
 * permits.
 */

import { setPriority } from 'node:os';
import { attacks, type Target } from './attacks.ts';

export type ToAttacker =
  | { readonly kind: 'prepare'; readonly attack: string; readonly target: Target }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' };

export type FromAttacker =
  | { readonly kind: 'prepared' }
  | {
      readonly kind: 'ended';
      readonly tries: number;
      readonly refused: number;
      readonly cpuMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

const LOWEST_PRIORITY = 19;
/** Delay that prevents a busy loop of immediate rejections. */
const BREATH_MS = 1;

setPriority(LOWEST_PRIORITY);

let attempt: (() => Promise<unknown>) | undefined;
let attacking = false;
const counted = { tries: 0, refused: 0, cpu: process.cpuUsage() };
const tell = (message: FromAttacker): void => void process.send?.(message);
let atOnce = 0;

async function goOn(): Promise<void> {
  while (attacking) {
    counted.tries += 1;
    try {
      const status = await attempt?.();
      if (typeof status === 'number' && status >= 400) counted.refused += 1;
    } catch {
      counted.refused += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
  }
}

process.on('message', (message: ToAttacker) => {
  if (message.kind === 'prepare') {
    const attack = attacks[message.attack];
    if (attack === undefined) return tell({ kind: 'failed', reason: 'no such attack' });
    atOnce = attack.atOnce;
    Promise.resolve(attack.prepare(message.target)).then(
      (prepared) => {
        attempt = prepared;
        tell({ kind: 'prepared' });
      },
      (error: unknown) => tell({ kind: 'failed', reason: String(error) }),
    );
  } else if (message.kind === 'begin') {
    attacking = true;
    counted.cpu = process.cpuUsage();
    for (let index = 0; index < atOnce; index += 1) void goOn();
  } else {
    attacking = false;
    const { user, system } = process.cpuUsage(counted.cpu);
    tell({ kind: 'ended', ...counted, cpuMs: (user + system) / 1_000 });
    process.disconnect();
    setTimeout(() => process.exit(0), 500);
  }
});
process.on('uncaughtException', () => {});
