import type { MetricBlock } from './metric-block.ts';

/**
 * The samples of all blocks, in order of time. Of samples of the same second, the values of the
 * last block count, so that a block that arrives twice changes nothing.
 */
export function mergeBlocks(blocks: readonly MetricBlock[]): MetricBlock {
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return only;
  if (areInOrder(blocks)) return concatenated(blocks);
  const places = new Map<number, { readonly block: MetricBlock; readonly index: number }>();
  for (const block of blocks)
    for (const [index, time] of block.times.entries()) places.set(time, { block, index });
  const times = [...places.keys()].toSorted((one, other) => one - other);
  const ids = new Set(blocks.flatMap(({ columns }) => [...columns.keys()]));
  const columns = new Map<number, readonly (number | null)[]>();
  for (const id of ids) {
    columns.set(
      id,
      times.map((time) => {
        const place = places.get(time);
        return place?.block.columns.get(id)?.[place.index] ?? null;
      }),
    );
  }
  return { times, columns };
}

/** Whether every block begins after the one before has ended, as those of a device usually do. */
function areInOrder(blocks: readonly MetricBlock[]): boolean {
  let end = -Infinity;
  for (const { times } of blocks) {
    const [first] = times;
    if (first === undefined) continue;
    if (first <= end) return false;
    end = times.at(-1) ?? first;
  }
  return true;
}

function concatenated(blocks: readonly MetricBlock[]): MetricBlock {
  const times = blocks.flatMap((block) => block.times);
  const ids = new Set(blocks.flatMap((block) => [...block.columns.keys()]));
  const columns = new Map<number, readonly (number | null)[]>();
  for (const id of ids) {
    const values: (number | null)[] = [];
    for (const block of blocks) {
      const column = block.columns.get(id);
      if (column === undefined) for (const _time of block.times) values.push(null);
      else for (const value of column) values.push(value);
    }
    columns.set(id, values);
  }
  return { times, columns };
}

/** The samples from the first time on for which the condition holds, up to the last one. */
export function filterBlock(block: MetricBlock, isKept: (time: number) => boolean): MetricBlock {
  const first = block.times.findIndex(isKept);
  const end = block.times.findLastIndex(isKept) + 1;
  if (first === 0 && end === block.times.length) return block;
  const part = <Value>(values: readonly Value[]): readonly Value[] =>
    first < 0 ? [] : values.slice(first, end);
  const columns = new Map<number, readonly (number | null)[]>();
  for (const [id, values] of block.columns) columns.set(id, part(values));
  return { times: part(block.times), columns };
}
