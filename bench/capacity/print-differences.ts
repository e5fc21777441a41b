import { usageFor, type Sample, type UnitCosts } from './model/unit-costs.ts';
import { brokerQuantities, quantities, quantityNames, type Quantity } from './model/usage.ts';
import { printTable, shorten } from './print-table.ts';

const TOLERANCE = 0.2;
/** Less than this cannot be measured exactly: a fiftieth of a core, and a megabyte. */
const FEWEST = { share: 0.02, ytes: 1_000_000, other: 200 } as const;

export interface Difference {
  readonly quantity: Quantity;
  readonly predicted: number;
  readonly measured: number;
  /** Null if too little was used to compare. */
  readonly difference: number | null;
}

export function compare(
  sample: Sample & { readonly seconds: number },
  costs: UnitCosts,
): readonly Difference[] {
  const predicted = usageFor(sample.activity, costs);
  return quantityNames
    .filter((quantity) => !sample.isPublished || !brokerQuantities.has(quantity))
    .map((quantity) => {
      const measured = sample.used[quantity];
      const isEnough =
        Math.max(measured, predicted[quantity]) >= fewestOf(quantity, sample.seconds);
      return {
        ...{ quantity, measured, predicted: predicted[quantity] },
        difference: isEnough && measured > 0 ? predicted[quantity] / measured - 1 : null,
      };
    });
}

function fewestOf(quantity: Quantity, seconds: number): number {
  if (quantity.endsWith('CpuMs')) return seconds * 1_000 * FEWEST.share;
  return quantity.includes('ytes') ? FEWEST.ytes : FEWEST.other;
}

export const isWithin = ({ difference }: Difference): boolean =>
  difference === null || Math.abs(difference) <= TOLERANCE;

export function printDifferences(title: string, differences: readonly Difference[]): void {
  console.log(`\n${title}`);
  const rows = differences.map((each) => [
    quantities[each.quantity],
    shorten(each.predicted),
    shorten(each.measured),
    each.difference === null ? 'too little' : signed(each.difference),
    isWithin(each) ? '' : 'NOT HELD',
  ]);
  printTable([['', 'predicted', 'measured', 'difference', ''], ...rows]);
}

const signed = (share: number): string =>
  `${share < 0 ? '-' : '+'}${Math.abs(share * 100).toFixed(0)} %`;
