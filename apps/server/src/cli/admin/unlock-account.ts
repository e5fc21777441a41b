import { StartError } from '../../platform/process/start-error.ts';
import { createPoolDirectory } from '../../compose/pool-directory.ts';
import { createProviderDirectory } from '../../compose/provider-directory.ts';
import type { AdminWork } from './admin-work.ts';
import { openSignIn } from './open-sign-in.ts';

/**
 * Unlocks accounts of the portal when no administrator can sign in, and accounts of other
 * applications at `/idp`.
 */
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
        `Unlocked ${user.username}. The account was locked since ${lock.lockedAt.toISOString()}, after ${lock.wrong} incorrect codes or passwords in a row.`,
      );
    }
    if (!isKnown) throw new StartError(`User ${email} not found.`);
    return done.length === 0 ? `The account ${email} is not locked.` : done.join('\n');
  },
};
