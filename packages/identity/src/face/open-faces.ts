import { createFaces, type Faces } from './faces.ts';
import { createFaceFinder } from './face-finder.ts';
import { missingFaceFinder } from './missing-face-finder.ts';
import type { ProviderContext } from '../provider/provider-context.ts';

/** Face recognition with its thread. */
export type OpenFaces = Faces & AsyncDisposable;

export function openFaces(context: ProviderContext): OpenFaces {
  const finder = context.plugIns.face
    ? createFaceFinder((error) => context.onInternalError(error, 'face comparison'))
    : missingFaceFinder;
  return {
    ...createFaces(context, finder),
    [Symbol.asyncDispose]: () => finder[Symbol.asyncDispose](),
  };
}
