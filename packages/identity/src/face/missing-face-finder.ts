import { ProviderError } from '../provider/wire/provider-error.ts';
import type { FaceFinder } from './face-finder.ts';
import { faceRefusals } from './face-refusals.ts';

/** Stands where `@deviceportal/identity-face` is not installed or turned off: refuses every photo. */
export const missingFaceFinder: FaceFinder = {
  describe: () => Promise.reject(new ProviderError(faceRefusals.notConfigured)),
  [Symbol.asyncDispose]: async () => {},
};
