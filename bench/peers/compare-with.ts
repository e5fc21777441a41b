import { printComparison, type Figures } from './figures.ts';
import { measureRound } from './measure-round.ts';
import { openDevicePortal } from './device-portal/open-device-portal.ts';
import type { Product } from './product.ts';

/** Opens a product with an empty data folder and free ports on loopback. */
export type OpenProduct = (resources: AsyncDisposableStack) => Promise<Product>;

export interface Peer {
  readonly name: string;
  readonly open: OpenProduct;
  /** What a reader must know to compare the figures. */
  readonly notes: readonly string[];
}

/** Of each command. Those of a peer are its own. */
export const commonOptions = {
  rounds: { type: 'string', default: '5' },
  devices: { type: 'string', default: '1000' },
  stored: { type: 'string', default: '10000' },
  settle: { type: 'string', default: '5' },
} as const;

/** Device Portal and another product in turn, each round with empty data folders, and one table of both. */
export async function compareWith(
  { name, open, notes }: Peer,
  values: Readonly<Record<keyof typeof commonOptions, string>>,
): Promise<void> {
  const ours: Figures = new Map();
  const theirs: Figures = new Map();
  const options = {
    connected: Number(values.devices),
    stored: Number(values.stored),
    settleMs: Number(values.settle) * 1_000,
  };
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    console.log(`Round ${round} of ${values.rounds}`);
    await measureOnce(openDevicePortal, ours, options);
    await measureOnce(open, theirs, options);
    printComparison({ name: 'Device Portal', figures: ours }, { name, figures: theirs });
  }
  console.log(`\n${notes.map((line) => `- ${line}`).join('\n')}`);
}

async function measureOnce(
  open: OpenProduct,
  figures: Figures,
  options: Parameters<typeof measureRound>[2],
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  await measureRound(await open(resources), figures, options);
}
