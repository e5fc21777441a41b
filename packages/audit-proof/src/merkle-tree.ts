import type { Sha256 } from './hashing.ts';

const HASH_BYTES = 32;
const NODE = 1;
/** Reused buffer; each hash is computed synchronously. */
const pair = new Uint8Array(1 + 2 * HASH_BYTES);
pair[0] = NODE;

/** RFC 9162, section 2.1.1: a node starts with a one byte, so that it cannot be used as a leaf. */
function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_BYTES);
  return sha256(pair);
}

/** Root of the tree of RFC 9162, section 2.1.1, over at least one leaf hash. */
export function merkleRoot(sha256: Sha256, leaves: readonly Uint8Array[]): Uint8Array {
  let level = leaves;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = [level[index]!, level[index + 1]];
      // The last node without a sibling is copied to the next level.
      above.push(right === undefined ? left : nodeHash(sha256, left, right));
    }
    level = above;
  }
  const [root] = level;
  if (root === undefined) throw new RangeError('a tree has at least one leaf');
  return root;
}

/**
 * The proof for some leaves: the roots of all maximal subtrees that contain none of them, from left
 * to right.
 */
export function proveLeaves(
  sha256: Sha256,
  leaves: readonly Uint8Array[],
  known: ReadonlySet<number>,
): Uint8Array[] {
  const path: Uint8Array[] = [];
  const order = [...known].toSorted((one, other) => one - other);
  const walk = (from: number, to: number): void => {
    if (!holdsAny(order, from, to)) path.push(merkleRoot(sha256, leaves.slice(from, to)));
    else if (to - from > 1) {
      const middle = from + splitOf(to - from);
      walk(from, middle);
      walk(middle, to);
    }
  };
  walk(0, leaves.length);
  return path;
}

/** The root computed from leaves and their `proveLeaves` path; null if the path does not match. */
export function rootFromLeaves(
  sha256: Sha256,
  tree: {
    readonly count: number;
    readonly known: ReadonlyMap<number, Uint8Array>;
    readonly path: readonly Uint8Array[];
  },
): Uint8Array | null {
  const order = [...tree.known.keys()].toSorted((one, other) => one - other);
  let used = 0;
  const walk = (from: number, to: number): Uint8Array | null => {
    if (!holdsAny(order, from, to)) return tree.path[used++] ?? null;
    if (to - from === 1) return tree.known.get(from) ?? null;
    const middle = from + splitOf(to - from);
    const left = walk(from, middle);
    const right = walk(middle, to);
    return left === null || right === null ? null : nodeHash(sha256, left, right);
  };
  if (order.length === 0 || order[0]! < 0 || order.at(-1)! >= tree.count) return null;
  const root = walk(0, tree.count);
  return used === tree.path.length ? root : null;
}

/** The largest power of two below the size, where a tree splits. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** Whether a sorted list contains a number in [from, to). */
function holdsAny(order: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low < order.length && order[low]! < to;
}
