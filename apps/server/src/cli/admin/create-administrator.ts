import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { z } from 'zod';
import { createPortalUser } from '../../access/demo-users.ts';
import { ensureBuiltinRoles } from '../../access/data/ensure-builtin-roles.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';
import { openSignIn } from './open-sign-in.ts';

export const createAdministrator: AdminWork = {
  usage: 'EMAIL',
  words: [1],
  async run(context, [email = '']) {
    if (!z.email().safeParse(email).success)
      throw new StartError(`${email} is not a valid email address.`);
    const { database, directory } = await openSignIn(context);
    await ensureBuiltinRoles({ database });
    await createPortalUser(
      { database, directory },
      { email, name: email, role: 'Administrator', groups: [ADMIN_GROUP] },
    );
    return `${email} is an administrator and can sign in with a one-time code.`;
  },
};
