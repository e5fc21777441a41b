import { identityMigrations } from '../../compose/identity-migrations.ts';
import { openOwnSecrets } from '../../installation/open-own-secrets.ts';
import type { RotationOutcome } from '../../installation/rotation-deps.ts';
import { withRotationLock } from '../../installation/with-rotation-lock.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';
import type { Rotation } from './rotation.ts';

/** Rotates a secret of the installation while servers may be running. */
export const rotateOneOf = (rotations: Readonly<Record<string, Rotation>>): AdminWork => ({
  usage: `${Object.keys(rotations).join('|')} [--now] [--broker-ready]`,
  words: [1],
  async run(context, [name = '']) {
    const rotation = Object.hasOwn(rotations, name) ? rotations[name] : undefined;
    if (rotation === undefined) {
      throw new StartError(
        `Unknown secret "${name}". Use one of: ${Object.keys(rotations).join(', ')}.`,
      );
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
      throw new StartError('Another rotation is in progress on this database. Try again later.');
    }
    return linesOf(name, outcome).join('\n');
  },
});

function linesOf(name: string, outcome: RotationOutcome): readonly string[] {
  if (outcome.kind === 'waits') {
    throw new StartError(
      `The next secret is ready, but these servers do not have it yet: ${outcome.servers.join(', ')}. Wait until they have read ${outcome.file}, or copy it to them if each has a file of its own. Then run this command again.`,
    );
  }
  if (outcome.kind === 'pends') {
    throw new StartError(
      `The next key is ready, but ${outcome.reason}. A job of the server completes the rotation later, or run this command again.`,
    );
  }
  if (outcome.kind === 'asks') return [outcome.request];
  const { lines } = outcome;
  if (outcome.kind === 'done') return [...lines, `Rotated: ${name}.`];
  return [
    ...lines,
    `Rotated: ${name}. The previous secret is accepted until ${outcome.until.toISOString()}. A job of the server then removes it. Use --now to remove it immediately.`,
  ];
}
