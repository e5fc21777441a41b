/** Names of files of the write-ahead log (PostgreSQL documentation, "WAL Internals"). */

/** A complete segment: timeline, high part, and number within 4 GiB, each eight hexadecimal digits. */
export const SEGMENT = /^[0-9A-F]{24}$/;
/** Which timeline a timeline branched from. */
export const HISTORY = /^[0-9A-F]{8}\.history$/;
const SEGMENT_BYTES = 16 * 1024 * 1024;
const SEGMENTS_PER_PART = 0x1_0000_0000 / SEGMENT_BYTES;

/** The segment after this one on the same timeline. */
export function nextSegment(name: string): string {
  const [timeline, part, number] = [0, 8, 16].map((at) => name.slice(at, at + 8)) as [
    string,
    string,
    string,
  ];
  const next = Number.parseInt(number, 16) + 1;
  const overflows = next === SEGMENTS_PER_PART;
  return `${timeline}${hex(Number.parseInt(part, 16) + (overflows ? 1 : 0))}${hex(overflows ? 0 : next)}`;
}

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');
