const MEGABYTE = 1_048_576;
const MOST_MB = 2_048;
const SMALLEST_MACHINE_MB = 128;
/** Enough for the data of 5,000 devices. */
const FIRST_MB = 512;
/** Until the next start. */
const GROWTH = 4;

export interface Sizes {
  /** Of the stored data. */
  readonly dataBytes: number;
  /** That this process can use. */
  readonly memoryBytes: number;
}

/**
 * `shared_buffers` in megabytes: four times the stored data, so that an installation can grow until its next start, and at
 * most an eighth of the memory. Index pages of a large fleet are then not repeatedly copied from the kernel. PostgreSQL
 * keeps 20 bytes of bookkeeping for each kilobyte, used or not, which a small installation does not pay. Data that outgrows
 * the buffers is read from the page cache of the kernel.
 */
export function sharedBuffersMb({ dataBytes, memoryBytes }: Sizes): number {
  const most = Math.max(SMALLEST_MACHINE_MB, Math.floor(memoryBytes / 8 / MEGABYTE));
  const wanted = Math.max(FIRST_MB, Math.ceil((GROWTH * dataBytes) / MEGABYTE));
  return Math.min(MOST_MB, most, wanted);
}
