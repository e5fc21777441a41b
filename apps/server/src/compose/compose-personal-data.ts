import type { Composition } from './composition.ts';
import { personalKeysOf } from '../personal-data/keys/personal-keys-of.ts';
import { keepErasureRegister } from '../personal-data/register/keep-erasure-register.ts';
import { repeat } from '../platform/process/repeat.ts';

const REGISTER_EVERY_MS = 3_600_000;

/**
 * Keeps erased people erased. Before the server answers, people in the register whom the database contains again, as
 * after a restore with another tool, are erased again. Keys that another server destroyed are dropped from memory.
 */
export async function composePersonalData({
  platform,
  resources,
  secrets,
  announce,
}: Composition): Promise<void> {
  const { database, changes, logger, config } = platform;
  const keep = () => keepErasureRegister({ database, secrets });
  const people = await keep();
  if (people.length > 0) announce(`${people.length} erased people were erased again.`);
  resources.use(
    changes.subscribe((change) => {
      if (change.kind === 'person-erased') personalKeysOf(database.orm).drop(change.people);
    }),
  );
  if (!config.roles.has('worker')) return;
  resources.use(
    repeat(async () => void (await keep()), {
      everyMs: REGISTER_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'the register of erased people was not kept'),
    }),
  );
}
