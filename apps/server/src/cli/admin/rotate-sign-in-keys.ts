import type { AdminWork } from './admin-work.ts';
import { openSignIn } from './open-sign-in.ts';

/** The keys of the user pool, and that of the provider at `/idp`. */
export const rotateSignInKeys: AdminWork = {
  usage: '',
  words: [0],
  async run(context) {
    const { identity, provider } = await openSignIn(context);
    const made = [...(await identity.rotateKeys()), await provider.rotateKeys()];
    const key = made.findLast((each) => each !== undefined);
    return key === undefined
      ? 'New signing keys are published already and wait to sign; nothing was changed.'
      : `New signing keys are published and sign from ${key.signsFrom.toISOString()}. Users stay signed in: the old keys stay published until the last token that they signed has expired.`;
  },
};
