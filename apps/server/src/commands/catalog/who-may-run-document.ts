import type { DocumentRunner, DocumentRunners } from '@deviceportal/contract/commands';
import { PortalError } from '@deviceportal/contract/errors';
import { furtherReaching, type RunPermission } from '@deviceportal/contract/permissions';
import { findRoles, type StoredRole } from '../../access/data/role-queries.ts';
import { consequenceWith, findSubDocuments } from '../../documents/sub-documents.ts';
import { findRunnableDocument } from '../../documents/find-runnable-document.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findCommands } from '../data/command-definition-queries.ts';
import { mayRunAnywhere, permissionsToRun, type Runnable } from '../run-policy.ts';

/** The command that runs any document. For it, only the consequence is checked. */
const ANY_DOCUMENT = 'document';

/**
 * The roles that can run a version of a document, by the policy that authorizes runs.
 *
 * @param reference `name` or `name:version`
 * @throws PortalError 2003 if the document does not exist
 */
export async function whoMayRunDocument(
  { database }: { readonly database: Database },
  viewer: Viewer,
  reference: string,
): Promise<DocumentRunners> {
  const [document, commands, roles] = await Promise.all([
    findRunnableDocument(database.orm, reference),
    findCommands(database.orm),
    findRoles(database.orm),
  ]);
  if (document === undefined) {
    throw new PortalError('notFound', { facts: { document: reference } });
  }
  const subDocuments = await findSubDocuments(database.orm, document);
  const reach = consequenceWith(document.consequence, subDocuments);
  const bound = commands.filter((command) => command.documentName === document.name);
  const ways: Runnable[] = [
    { command: ANY_DOCUMENT, consequence: reach, ownDocument: false },
    ...bound.map(({ command, consequence }) => ({
      command,
      consequence: furtherReaching(consequence, reach),
      ownDocument: true,
    })),
  ];
  const permissions = new Set(ways.flatMap(permissionsToRun));
  const allowed = ways.some((way) => mayRunAnywhere(viewer.grants, way));
  return {
    consequence: reach,
    commands: bound.map(({ command }) => command),
    roles: roles.flatMap((role) => runnerOf(role, permissions)),
    allowed,
    missingPermission: allowed ? null : `commands:run:@${reach}`,
  };
}

function runnerOf(
  { id, name, permissions, scope }: StoredRole,
  enough: ReadonlySet<RunPermission>,
): DocumentRunner[] {
  const held = permissions.filter((permission) => enough.has(permission as RunPermission));
  if (held.length === 0) return [];
  return [
    { id, name, scope, permissions: held, approves: permissions.includes('documents:approve') },
  ];
}
