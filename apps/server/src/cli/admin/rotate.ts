import { identityMigrations } from '../../compose/identity-migrations.ts';
import { openOwnSecrets } from '../../installation/open-own-secrets.ts';
import type { RotationOutcome } from '../../installation/rotation-deps.ts';
import { withRotationLock } from '../../installation/with-rotation-lock.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';
import type { Rotation } from './rotation.ts';

/** Replaces a secret of the installation, beside running servers. */
export const rotateOneOf = (rotations: Readonly<Record<string, Rotation>>): AdminWork => ({
  usage: `${Object.keys(rotations).join('|')} [--now] [--broker-ready]`,
  words: [1],
  async run(context, [name = '']) {
    const rotation = Object.hasOwn(rotations, name) ? rotations[name] : undefined;
    if (rotation === undefined) {
      throw new StartError(`There is no secret "${name}": ${Object.keys(rotations).join(', ')}.`);
    }
    const { config, logger, resources, options } = context;
    const { database } = await openMigrated(resources, config, {
      logger,
      migrations: identityMigrations,
      exclusive: false,
    });
    const secrets = await openOwnSecrets({ database, config });
    const outcome = await withRotationLock(database, () =>
      rotation({
        ...{ command: context, database, secrets },
        now: options.has('now'),
        brokerReady: options.has('broker-ready'),
      }),
    );
    if (outcome === undefined) {
      throw new StartError('Another rotation is under way on this database. Try again later.');
    }
    return linesOf(name, outcome).join('\n');
  },
});

function linesOf(name: string, outcome: RotationOutcome): readonly string[] {
  if (outcome.kind === 'waits') {
    throw new StartError(
      `The next secret is made, and these servers do not have it yet: ${outcome.servers.join(', ')}. Copy ${outcome.file} to them, or wait until they have read it, and run the command again.`,
    );
  }
  if (outcome.kind === 'pends') {
    throw new StartError(
      `The next key is made, and ${outcome.reason}. A job of the server goes on then; or run the command again.`,
    );
  }
  if (outcome.kind === 'asks') return [outcome.request];
  const { lines } = outcome;
  if (outcome.kind === 'done') return [...lines, `Rotated: ${name}.`];
  return [
    ...lines,
    `Rotated: ${name}. What came before is accepted until ${outcome.until.toISOString()}; a job of the server ends it then. With --now it ends at once.`,
  ];
}
