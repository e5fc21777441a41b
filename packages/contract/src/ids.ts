import { z } from 'zod';

/** Ids are UUIDv7, made in Node (docs/design/decisions.md, section 3), so that they sort by age. */
export const idSchema = z.uuid();

/** One installation of the agent: `mi-` and 17 hexadecimal digits (docs/design/decisions.md, section 2). */
export const instanceIdSchema = z.string().regex(/^mi-[0-9a-f]{17}$/);

export const serialNumberSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9_-]{3,63}$/, '4 to 64 letters, digits, hyphens or underscores');

/** They stand in every row of a list, and in the audit trail with each change. Counted before any of them is read. */
export const MOST_LABELS = 50;

export const labelsSchema = z
  .record(z.string(), z.any())
  .refine((labels) => Object.keys(labels).length <= MOST_LABELS, `has more than ${MOST_LABELS}`)
  .pipe(z.record(z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9_./-]{0,62}$/), z.string().max(256)));

interface Moment {
  ms: number;
  counter: number;
}

/** Of the newest id, and of the newest of those for an older moment: asked for on purpose, or the clock was set back. */
const newest: Moment = { ms: 0, counter: 0 };
const older: Moment = { ms: 0, counter: 0 };
const COUNTER_LIMIT = 0xfff;
/** A clock that is this much behind is taken to stand still. */
const CLOCK_STEP_MS = 1_000;

/**
 * A UUIDv7 (RFC 9562, section 5.7): 48 bits of milliseconds since 1970, a counter (section 6.2, method 1), random bits.
 * Ids made one after the other sort in that order, also within one millisecond.
 */
export function newId(nowMs: number = Date.now()): string {
  if (poolOffset + 16 > pool.length) {
    crypto.getRandomValues(pool);
    poolOffset = 0;
  }
  const at = poolOffset;
  poolOffset += 16;
  const moment = nextMoment(nowMs, ((pool[at]! << 8) | pool[at + 1]!) & 0x3ff);
  const time = moment.ms.toString(16).padStart(12, '0');
  const count = moment.counter.toString(16).padStart(3, '0');
  const variant = hexOf[(pool[at + 2]! & 0x3f) | 0x80]!;
  let tail = '';
  for (let index = at + 4; index < at + 10; index += 1) tail += hexOf[pool[index]!]!;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${hexOf[pool[at + 3]!]!}-${tail}`;
}

/** Random bytes drawn ahead: ids are made by the ten thousand. */
const pool = new Uint8Array(4_096);
let poolOffset = pool.length;
const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function nextMoment(nowMs: number, seed: number): Moment {
  if (newest.ms - nowMs <= CLOCK_STEP_MS) return advance(newest, nowMs, seed);
  if (older.ms > nowMs) older.ms = 0;
  return advance(older, nowMs, seed);
}

/** The same millisecond with the counter one further; a full counter borrows from the next millisecond. */
function advance(last: Moment, nowMs: number, seed: number): Moment {
  if (nowMs > last.ms) {
    last.ms = nowMs;
    last.counter = seed;
  } else if (last.counter < COUNTER_LIMIT) last.counter += 1;
  else {
    last.ms += 1;
    last.counter = seed;
  }
  return last;
}

export function newInstanceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `mi-${hex.slice(0, 17)}`;
}
