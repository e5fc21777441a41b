import type { NextRemedy } from '@deviceportal/contract/commands';
import type { Verdict } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { isFinal } from '@deviceportal/contract/states';
import { getDevice } from '../../devices/get-device.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findInvocationsById } from '../data/invocation-queries.ts';
import { revealInvocations } from '../invocations/reveal-invocations.ts';
import { listCommands } from './list-commands.ts';
import { nextRemedies } from './remedy-policy.ts';

const SHOWN = 3;

/**
 * Suggested next steps after a command has ended on a device. Only commands that the viewer can run.
 *
 * @throws PortalError 5000 if there is no such invocation within the viewer's scope
 */
export async function getNextRemedies(
  deps: CommandsDeps,
  viewer: Viewer,
  invocationId: string,
): Promise<readonly NextRemedy[]> {
  const { orm } = deps.database;
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const stored = await findInvocationsById(orm, scopes, [invocationId]);
  const [found] = await revealInvocations(orm, deps.vault, stored);
  if (found === undefined) {
    throw new PortalError('invocationNotFound', { facts: { invocationId } });
  }
  const { row } = found;
  if (!isFinal(row.state)) return [];
  const [verdicts, commands] = await Promise.all([
    verdictsOf(deps, viewer, row.deviceId),
    listCommands(deps, viewer),
  ]);
  return nextRemedies(row, verdicts)
    .flatMap(({ command, reason, verdict }) => {
      const known = commands.find((entry) => entry.command === command);
      if (known === undefined || !known.allowed) return [];
      const { consequence, description } = known;
      return [{ command, consequence, description, reason, verdict }];
    })
    .slice(0, SHOWN);
}

/** Returns nothing to viewers who can see the command but not the device. */
async function verdictsOf(
  deps: CommandsDeps,
  viewer: Viewer,
  deviceId: string,
): Promise<readonly Verdict[]> {
  try {
    return (await getDevice(deps, viewer, deviceId)).verdicts;
  } catch (error) {
    if (error instanceof PortalError && error.errorName === 'deviceNotFound') return [];
    throw error;
  }
}
