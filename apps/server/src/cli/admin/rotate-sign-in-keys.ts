import type { AdminWork } from './admin-work.ts';
import { openSignIn } from './open-sign-in.ts';

/** Rotates the keys of the user pool and of the provider at `/idp`. */
export const rotateSignInKeys: AdminWork = {
  usage: '',
  words: [0],
  async run(context) {
    const { identity, provider } = await openSignIn(context);
    const made = [...(await identity.rotateKeys()), await provider.rotateKeys()];
    const key = made.findLast((each) => each !== undefined);
    return key === undefined
      ? 'New signing keys are already published and pending. Nothing was changed.'
      : `New signing keys are published. They sign tokens from ${key.signsFrom.toISOString()}. Users stay signed in. The old keys stay published until all tokens that they signed have expired.`;
  },
};
