import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Sha256 } from './hashing.ts';
import { fromHex, toHex } from './hashing.ts';
import { merkleRoot, proveLeaves, rootFromLeaves } from './merkle-tree.ts';

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');
const leaf = (text: string): Uint8Array => sha256(Buffer.from(`00${text}`, 'hex'));

/** A tree's leaves with a known subset. */
const someKnown = fc.integer({ min: 1, max: 70 }).chain((count) =>
  fc.record({
    leaves: fc.constant(
      Array.from({ length: count }, (_, at) => leaf(at.toString(16).padStart(2, '0'))),
    ),
    known: fc.uniqueArray(fc.nat({ max: count - 1 }), { minLength: 1 }),
  }),
);

const treeOf = (leaves: readonly Uint8Array[], known: readonly number[]) => ({
  count: leaves.length,
  known: new Map(known.map((at) => [at, leaves[at]!])),
  path: proveLeaves(sha256, leaves, new Set(known)),
});

it('computes the roots of the published RFC 9162 test vectors', () => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].map(leaf);
  expect(toHex(merkleRoot(sha256, leaves.slice(0, 1)))).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  );
  expect(toHex(merkleRoot(sha256, leaves.slice(0, 3)))).toBe(
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  );
  expect(toHex(merkleRoot(sha256, leaves))).toBe(
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  );
});

it('computes the root from any subset of leaves and its path', () => {
  fc.assert(
    fc.property(someKnown, ({ leaves, known }) => {
      const root = rootFromLeaves(sha256, treeOf(leaves, known));
      expect(toHex(root ?? new Uint8Array())).toBe(toHex(merkleRoot(sha256, leaves)));
    }),
  );
});

it('rejects changed, moved, or swapped leaves, and longer or shorter paths', () => {
  fc.assert(
    fc.property(someKnown, fc.nat(), ({ leaves, known }, pick) => {
      const tree = treeOf(leaves, known);
      const right = toHex(merkleRoot(sha256, leaves));
      const rootOf = (other: Partial<typeof tree>): string =>
        toHex(rootFromLeaves(sha256, { ...tree, ...other }) ?? new Uint8Array());
      const at = known[pick % known.length]!;
      const forged = leaf('ff');
      expect(rootOf({ known: new Map(tree.known).set(at, forged) })).not.toBe(right);
      expect(rootOf({ path: [...tree.path, forged] })).not.toBe(right);
      if (tree.path.length > 0) expect(rootOf({ path: tree.path.slice(1) })).not.toBe(right);
      const other = known[(pick + 1) % known.length]!;
      if (other !== at) {
        const swapped = new Map(tree.known).set(at, leaves[other]!).set(other, leaves[at]!);
        expect(rootOf({ known: swapped })).not.toBe(right);
      }
    }),
  );
});

it('does not accept a node as a leaf', () => {
  const [one, other] = [leaf('01'), leaf('02')];
  const node = merkleRoot(sha256, [one, other]);
  expect(toHex(leaf(toHex(one) + toHex(other)))).not.toBe(toHex(node));
  expect(toHex(fromHex(toHex(node)))).toBe(toHex(node));
});
