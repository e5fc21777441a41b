import { StartError } from '../../platform/process/start-error.ts';
import { createPoolDirectory } from '../../compose/pool-directory.ts';
import { createProviderDirectory } from '../../compose/provider-directory.ts';
import type { AdminWork } from './admin-work.ts';
import { openSignIn } from './open-sign-in.ts';

/** Unlocks an account when no administrator can sign in to the portal, and accounts of other applications at `/idp`. */
export const unlockAccount: AdminWork = {
  usage: 'EMAIL',
  words: [1],
  async run(context, [email = '']) {
    const { identity, provider } = await openSignIn(context);
    const directories = [createPoolDirectory(identity), createProviderDirectory(provider)];
    const done: string[] = [];
    let isKnown = false;
    for (const { administration: pool } of directories) {
      const user = await pool?.findUser(email);
      if (pool === undefined || user === undefined) continue;
      isKnown = true;
      const lock = (await pool.findLocks([user.subject])).get(user.subject);
      if (lock === undefined) continue;
      await pool.unlock(user.subject, 'operator');
      done.push(
        `The account ${user.username} is unlocked. It had been locked since ${lock.lockedAt.toISOString()}, after ${lock.wrong} wrong codes or passwords in a row.`,
      );
    }
    if (!isKnown) throw new StartError(`There is no user ${email}.`);
    return done.length === 0 ? `The account ${email} is not locked.` : done.join('\n');
  },
};
