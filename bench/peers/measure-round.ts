import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { note, type Figures } from './figures.ts';
import { memoryOf } from '../support/process-memory.ts';
import type { List, Product, RunningProduct, Task } from './product.ts';

export interface RoundOptions {
  readonly connected: number;
  readonly stored: number;
  readonly settleMs: number;
}

const ECHOES = 10;
/** Device Portal limits how often a session changes what it watches. */
const BETWEEN_ECHOES_MS = 500;
const READS = 30;
/** Not counted, except of a slow list. */
const WARM_UP_READS = 5;
/** A list that takes longer is read less often. */
const LIST_BUDGET_MS = 10_000;

/** One product from its first start to a list of all devices, on an empty data folder. */
export async function measureRound(
  product: Product,
  figures: Figures,
  options: RoundOptions,
): Promise<void> {
  const say = (what: string): void => console.log(`  ${product.name}: ${what}`);
  {
    await using first = await product.start();
    note(figures, 'first start to ready', 'ms', first.readyAfterMs);
    say(`first start ${first.readyAfterMs.toFixed(0)} ms`);
  }
  await product.prepare();
  await using running = await product.start();
  note(figures, 'second start to ready', 'ms', running.readyAfterMs);
  await sleep(options.settleMs);
  note(figures, 'memory without devices', 'MB', await memoryOf(running.pids));
  await measureAgent(running, figures);
  const connectingAt = performance.now();
  await running.connect(options.connected);
  say(
    `${options.connected} devices in ${((performance.now() - connectingAt) / 1_000).toFixed(1)} s`,
  );
  await sleep(options.settleMs);
  const devices = options.connected.toLocaleString('en');
  note(figures, `memory with ${devices} connected devices`, 'MB', await memoryOf(running.pids));
  for (const [name, task] of Object.entries(running.tasks))
    await measureTask(task, (ms) => note(figures, `${name} to ${devices} devices`, 'ms', ms));
  await running.storeUpTo(options.stored);
  const stored = options.stored.toLocaleString('en');
  for (const [name, list] of Object.entries(running.lists))
    await measureList(list(options.stored), {
      say: (what) => say(`list, ${name}: ${what}`),
      take: (ms) => note(figures, `list: ${name} of ${stored}`, 'ms', ms),
    }).catch((error: unknown) => say(`list, ${name}: ${String(error)}`));
}

async function measureAgent({ startAgent }: RunningProduct, figures: Figures): Promise<void> {
  if (!startAgent) return;
  await using agent = await startAgent();
  await agent.runEcho();
  for (let count = 0; count < ECHOES; count += 1) {
    await sleep(BETWEEN_ECHOES_MS);
    note(figures, "echo on one device by the product's own agent", 'ms', await agent.runEcho());
  }
  note(figures, "memory of the product's own agent", 'MB', await memoryOf([agent.pid]));
}

async function measureTask({ run, runs }: Task, take: (ms: number) => void): Promise<void> {
  if (runs > 1) await run();
  for (let count = 0; count < runs; count += 1) take(await run());
}

async function measureList(
  { read, expected }: List,
  { say, take }: { readonly say: (what: string) => void; readonly take: (ms: number) => void },
): Promise<void> {
  const timed = async (): Promise<number> => {
    const startedAt = performance.now();
    const count = await read();
    if (count !== expected) throw new Error(`${count} of ${expected} devices`);
    return performance.now() - startedAt;
  };
  // The first one also takes the time of what the product still writes.
  const firstMs = await timed();
  say(`first time ${firstMs.toFixed(0)} ms`);
  const endsAt = performance.now() + LIST_BUDGET_MS;
  for (let index = 0; index < READS && performance.now() < endsAt; index += 1) {
    const tookMs = await timed();
    const isSlow = tookMs * READS > LIST_BUDGET_MS;
    if (isSlow || index >= WARM_UP_READS) take(tookMs);
  }
}
