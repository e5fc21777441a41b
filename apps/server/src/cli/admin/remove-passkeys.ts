import { StartError } from '../../platform/process/start-error.ts';
import { hasOwnUserPool } from '../../platform/config/provider-origins.ts';
import type { AdminWork } from './admin-work.ts';
import { openSignIn } from './open-sign-in.ts';

/** Removes the passkeys of a user who lost them and their recovery codes. A code then signs them in. */
export const removePasskeys: AdminWork = {
  usage: 'EMAIL',
  words: [1],
  async run(context, [email = '']) {
    const { identity, provider, directory } = await openSignIn(context);
    const user = await directory.administration?.findUser(email);
    if (user === undefined) throw new StartError(`User ${email} not found.`);
    const { accounts } = hasOwnUserPool(context.config.providerSet) ? identity : provider;
    const isRemoved = await accounts.removePasskeys(user.subject);
    return isRemoved
      ? `Removed the passkeys and recovery codes of ${user.username}.`
      : `${user.username} has no passkeys.`;
  },
};
