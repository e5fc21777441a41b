import { ProviderError } from '../provider/wire/provider-error.ts';
import type { FaceFinder } from './face-finder.ts';
import { faceRefusals } from './face-refusals.ts';

/** Used if `@deviceportal/identity-face` is not installed or turned off: rejects every photo. */
export const missingFaceFinder: FaceFinder = {
  describe: () => Promise.reject(new ProviderError(faceRefusals.notConfigured)),
  [Symbol.asyncDispose]: async () => {},
};
