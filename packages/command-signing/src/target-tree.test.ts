import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildTargetTree, idBytes, isTarget } from './target-tree.ts';

const deviceIds = fc
  .uniqueArray(fc.uuid(), { minLength: 2, maxLength: 70 })
  .map((ids) => ids.toSorted());

const treeOf = (ids: readonly string[]) => buildTargetTree(Buffer.concat(ids.map(idBytes)));

it('proves every device of a run of any size', async () => {
  await fc.assert(
    fc.asyncProperty(deviceIds, async (ids) => {
      const tree = await treeOf(ids);
      const proofs = ids.map((id) => tree.proofOf(id));
      expect(
        ids.filter((id, at) => !isTarget(tree, id, proofs[at] ?? { index: 0, path: '' })),
      ).toEqual([]);
    }),
  );
});

it('rejects other devices, with the proof of a target or a modified one', async () => {
  await fc.assert(
    fc.asyncProperty(
      deviceIds,
      fc.nat(),
      fc.nat({ max: 255 }),
      async ([other, ...ids], at, mask) => {
        const tree = await treeOf(ids);
        const target = ids[at % ids.length] as string;
        const proof = tree.proofOf(target);
        if (other === undefined || proof === undefined) throw new Error('the target has no proof');
        expect(tree.proofOf(other)).toBeUndefined();
        expect(isTarget(tree, other, proof)).toBe(false);
        const path = Buffer.from(proof.path, 'base64url');
        if (path.byteLength === 0 || mask === 0) return;
        const place = at % path.byteLength;
        path.writeUInt8(path.readUInt8(place) ^ mask, place);
        expect(isTarget(tree, target, { ...proof, path: path.toString('base64url') })).toBe(false);
      },
    ),
  );
});
