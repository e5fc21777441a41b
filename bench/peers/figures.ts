import { percentile } from '../support/portal-process.ts';

/** What was measured of a product, by the row of the table. All samples of all rounds. */
export type Figures = Map<string, Samples>;

interface Samples {
  readonly unit: 'ms' | 'MB';
  readonly values: number[];
}

export function note(figures: Figures, row: string, unit: Samples['unit'], value: number): void {
  const samples = figures.get(row);
  if (samples) samples.values.push(value);
  else figures.set(row, { unit, values: [value] });
}

const shares = { p50: 0.5, p99: 0.99 } as const;

/** Markdown: a row for each figure, and of lists two. The ratio is the peer's figure to that of Device Portal. */
export function printComparison(ours: Named, peer: Named): void {
  console.log(`\n| | Device Portal | ${peer.name} | ratio | samples |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  const rows = new Set([...ours.figures.keys(), ...peer.figures.keys()]);
  for (const row of rows) {
    const names = row.startsWith('list:') ? (['p50', 'p99'] as const) : (['p50'] as const);
    for (const share of names) {
      const [own, other] = [ours, peer].map(({ figures }) => {
        const samples = figures.get(row);
        return samples && { ...samples, at: percentile(samples.values, shares[share]) };
      });
      const ratio = own && other ? (other.at / own.at).toFixed(2) : '–';
      const cells = [own, other].map((one) => (one ? `${figureOf(one.at)} ${one.unit}` : '–'));
      const counts = [own, other].map((one) => one?.values.length ?? 0);
      const title = names.length === 1 ? row : `${row}, ${share}`;
      console.log(`| ${[title, ...cells, ratio, counts.join(' / ')].join(' | ')} |`);
    }
  }
}

interface Named {
  readonly name: string;
  readonly figures: Figures;
}

const figureOf = (value: number): string =>
  value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
