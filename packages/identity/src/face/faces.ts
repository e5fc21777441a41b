import { inTransaction } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { RecordWith } from '../sign-in/sign-ins.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { faceDistance, MAX_FACE_DISTANCE } from './face-distance.ts';
import type { FaceFinder } from './face-finder.ts';
import { faceRefusals } from './face-refusals.ts';
import { readFace, saveFace } from './face-store.ts';

/** Faces as a second step. No photo is kept. */
export interface Faces {
  /** Two photos of the person, or the same one twice. @throws ProviderError faceDiffers, and why a photo is refused */
  associate(
    userId: string,
    photos: readonly [Uint8Array, Uint8Array],
    record?: RecordWith,
  ): Promise<void>;
  /** @throws ProviderError faceNotBound, faceDiffers, and why the photo is refused */
  verify(userId: string, photo: Uint8Array): Promise<void>;
}

export function createFaces(
  { db, clock, box }: Pick<ProviderContext, 'db' | 'clock' | 'box'>,
  finder: FaceFinder,
): Faces {
  const requireSame = (left: Float32Array, right: Float32Array): void => {
    if (faceDistance(left, right) > MAX_FACE_DISTANCE) {
      throw new ProviderError(faceRefusals.faceDiffers);
    }
  };
  return {
    async associate(userId, [first, second], record) {
      const descriptor = await finder.describe(first);
      if (first !== second) requireSame(descriptor, await finder.describe(second));
      const sealed = box.seal(JSON.stringify([...descriptor]), `face ${userId}`);
      await inTransaction(db, async (client) => {
        await saveFace(client, { userId, box: sealed, at: new Date(clock.now()) });
        await record?.(client);
      });
    },
    async verify(userId, photo) {
      const kept = await readFace(db, userId);
      if (kept === undefined) throw new ProviderError(faceRefusals.faceNotBound);
      const known = JSON.parse(box.open(kept, `face ${userId}`)) as number[];
      requireSame(Float32Array.from(known), await finder.describe(photo));
    },
  };
}
