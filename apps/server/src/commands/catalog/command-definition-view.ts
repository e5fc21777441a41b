import type { CommandDefinition } from '@deviceportal/contract/commands';
import { furtherReaching } from '@deviceportal/contract/permissions';
import { documentPlatforms } from '../../documents/document-platforms.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { StoredCommand } from '../data/command-definition-queries.ts';
import { mayRunAnywhere, mayRunSomeClass, missingPermission } from '../run-policy.ts';

/** A catalog entry with the viewer's permissions applied. */
export function viewCommandDefinition(
  stored: StoredCommand,
  viewer: Viewer,
  favorites: ReadonlySet<string>,
): CommandDefinition {
  const [name = stored.command, sub = null] = stored.command.split('/');
  const consequence = furtherReaching(
    stored.consequence,
    stored.documentConsequence ?? stored.consequence,
  );
  const runnable = { ...stored, consequence, ownDocument: true };
  const allowed =
    stored.documentName === null
      ? mayRunSomeClass(viewer.grants)
      : mayRunAnywhere(viewer.grants, runnable);
  return {
    command: stored.command,
    name,
    sub,
    documentName: stored.documentName,
    consequence,
    needsSerialNumber: stored.needsSerialNumber,
    group: stored.group,
    description: stored.description,
    platforms: documentPlatforms(stored.steps),
    favorite: favorites.has(stored.command),
    allowed,
    missingPermission: allowed ? null : missingPermission(runnable),
  };
}
