import type { ArchivePeriod } from '../../data/archive/archive-file-queries.ts';

const GROWTH = 4;
/** Each file is a parameter of a query, and so is its month. */
const MOST_FILES = 64;
const MONTHS_AT_ONCE = 24;

/**
 * Files in batches of 1, 4, 16, and then 64, of which each ends before the earlier one begins: the newest events of the
 * first batches are the newest of all.
 *
 * @param files by their last event, the newest first
 */
export function* newestFirst(files: readonly ArchivePeriod[]): Generator<readonly ArchivePeriod[]> {
  let size = 1;
  for (let from = 0; from < files.length; size = Math.min(size * GROWTH, MOST_FILES)) {
    const batch = files.slice(from, from + size);
    let firstAt = Math.min(...batch.map((each) => each.firstAt.getTime()));
    for (let next = files[from + batch.length]; next && next.lastAt.getTime() >= firstAt;) {
      batch.push(next);
      firstAt = Math.min(firstAt, next.firstAt.getTime());
      next = files[from + batch.length];
    }
    yield batch;
    from += batch.length;
  }
}

/**
 * Files in batches of different months, each older than the one before, so that the order of months is that of the files.
 *
 * @param files by their last event, the newest first
 */
export function* monthsApart(files: readonly ArchivePeriod[]): Generator<readonly ArchivePeriod[]> {
  let batch: ArchivePeriod[] = [];
  for (const file of files) {
    const last = batch.at(-1);
    if (last !== undefined && (file.month >= last.month || batch.length === MONTHS_AT_ONCE)) {
      yield batch;
      batch = [];
    }
    batch.push(file);
  }
  if (batch.length > 0) yield batch;
}
