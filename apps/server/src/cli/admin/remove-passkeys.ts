import { serverOrigin } from '@deviceportal/identity/administration-act';
import { ownerOfPasskeys } from '../../passkeys/owner-of-passkeys.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';
import { openSignIn } from './open-sign-in.ts';

/** Removes the passkeys of a user who lost them and their recovery codes. A code then signs them in. */
export const removePasskeys: AdminWork = {
  usage: 'EMAIL',
  words: [1],
  async run(context, [email = '']) {
    const { identity, directory } = await openSignIn(context);
    const user = await directory.administration?.findUser(email);
    if (user === undefined) throw new StartError(`User ${email} not found.`);
    const isRemoved = await identity.passkeys.removeAll(ownerOfPasskeys(user), serverOrigin);
    return isRemoved
      ? `Removed the passkeys and recovery codes of ${user.username}.`
      : `${user.username} has no passkeys.`;
  },
};
