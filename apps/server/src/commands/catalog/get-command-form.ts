import type { z } from 'zod';
import type { CommandForm, getCommandFormInput } from '@deviceportal/contract/commands';
import { scopesOf } from '@deviceportal/contract/permissions';
import { findRoleNamesHolding } from '../../access/data/role-queries.ts';
import { documentPlatforms } from '../../documents/document-platforms.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { typicalDurationMs } from '../data/command-definition-queries.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findLastValues } from './find-last-values.ts';
import { listCommands } from './list-commands.ts';
import { resolveCommand } from './resolve-command.ts';
import { mayRunAnywhere, missingPermission } from '../run-policy.ts';

/** @throws PortalError 4002, 2003, or 2004, as `resolveCommand` */
export async function getCommandForm(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof getCommandFormInput>,
): Promise<CommandForm> {
  const resolved = await resolveCommand(database.orm, input.command, input.document);
  const { document, entry } = resolved;
  const [commands, typical, approverRoles, lastValues] = await Promise.all([
    listCommands({ database }, viewer),
    typicalDurationMs(database.orm, document.name, scopesOf(viewer.grants, ['commands:read'])),
    findRoleNamesHolding(database.orm, 'documents:approve'),
    findLastValues(database.orm, {
      userId: viewer.userId,
      documentName: document.name,
      secretParameters: document.secretParameters,
    }),
  ]);
  const [name = entry.command, sub = null] = entry.command.split('/');
  const allowed = mayRunAnywhere(viewer.grants, resolved);
  return {
    command: entry.command,
    name,
    sub,
    group: entry.group,
    favorite: commands.some((known) => known.command === entry.command && known.favorite),
    documentName: document.name,
    documentVersion: document.version,
    documentSha256: document.sha256,
    description: resolved.ownDocument ? entry.description : document.description,
    consequence: resolved.consequence,
    needsSerialNumber: resolved.needsSerialNumber,
    platforms: documentPlatforms(document.parsed.mainSteps),
    allowed,
    missingPermission: allowed ? null : missingPermission(resolved),
    parameters: document.parsed.parameters ?? {},
    secretParameters: document.secretParameters,
    typicalDurationMs: typical,
    documentState: document.state,
    phases: {
      preCheck: document.phases.preCheck?.length ?? 0,
      verify: document.phases.verify?.length ?? 0,
      undo: document.phases.undo?.length ?? 0,
    },
    approverRoles,
    lastValues,
    siblings: commands.filter((known) => known.name === name),
  };
}
