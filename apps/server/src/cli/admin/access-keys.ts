import { chooseAccessKeyWork } from '../../access/access-key-command.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';
import { openSignIn } from './open-sign-in.ts';

const runOf =
  (verb: string): AdminWork['run'] =>
  async (context, words) => {
    const work = chooseAccessKeyWork([verb, ...words]);
    if (work === undefined) throw new StartError(`Usage: npm run admin -- ${verb}`);
    return work((await openSignIn(context)).identity.accessKeys);
  };

/** Commands for the access keys with which applications administer users. */
export const accessKeyWorks: Readonly<Record<string, AdminWork>> = {
  'create-access-key': {
    usage: 'NAME POLICY',
    words: [1, 2],
    run: runOf('create-access-key'),
  },
  'list-access-keys': { usage: '', words: [0], run: runOf('list-access-keys') },
  'revoke-access-key': { usage: 'ID', words: [1], run: runOf('revoke-access-key') },
};
