import { createHash } from 'node:crypto';
import type { ExclusionReason } from '@deviceportal/contract/command-targets';
import type { WhenLocked } from '@deviceportal/contract/change-locks';
import { PortalError, type ErrorName } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import { agreedCondition } from '../data/agreed-condition.ts';
import {
  resolveTargetDevices,
  selectTargetDevices,
  type ResolveOptions,
  type TargetFacts,
} from '../data/target-queries.ts';
import { missingPermission } from '../run-policy.ts';
import { runCommandObstaclesOf } from './run-command-obstacles-of.ts';
import type { TargetAgreement } from './target-agreement.ts';
import { targetQuery } from './target-query.ts';
import { distinctIds, type RunTarget, type TargetQuery } from './run-target.ts';
import type { ResolvedTarget } from './resolved-target.ts';

export interface ResolveTarget {
  readonly resolved: ResolvedCommand;
  readonly target: RunTarget;
  /** Nothing is written if the devices differ from those agreed. */
  readonly agreement: TargetAgreement;
  readonly now: Date;
  readonly whenLocked?: WhenLocked | undefined;
  /** The run that is undone, by the undo steps of the document. */
  readonly undoes?: string | null;
  /** Inserts the devices in the same statement; see `resolveTargetDevices`. */
  readonly write: ResolveOptions['write'];
  readonly idLimit: number;
}

/**
 * @throws PortalError 6000 if a selected device does not exist for the viewer; for one selected device 1000, 2004
 * (suspended, retired), 6001, or 4003; for several, the same if it applies to each of them; 4001 if the target is
 * empty. Roll back what was written then.
 */
export async function resolveTarget(
  executor: Executor,
  viewer: Viewer,
  options: ResolveTarget,
): Promise<ResolvedTarget> {
  const { resolved, target } = options;
  const isUndo = (options.undoes ?? null) !== null;
  const query = await targetQuery(executor, viewer, { ...options, isUndo });
  const facts = await resolveTargetDevices(executor, query, {
    ...options,
    agreed: (whole) => agreedCondition(options.agreement, target, whole),
  });
  if (target.kind === 'devices' && distinctIds(target.deviceIds).length > facts.found)
    throw await missingDeviceError(executor, query, target.deviceIds);
  if (facts.reached === 0) throw noTargetError(facts, resolved, isUndo);
  return {
    count: facts.reached,
    ready: facts.ready,
    sha256: facts.sha256,
    agreed: facts.agreed,
    query,
    single:
      target.kind !== 'filter' && facts.found === 1 ? { serialNumber: facts.serialNumber } : null,
    deviceIds: facts.deviceIds,
    ids: facts.ids ?? Buffer.alloc(0),
    summary: {
      ...(target.kind === 'filter' ? target : { kind: 'devices', chosen: facts.found }),
      count: facts.reached,
      excluded: facts.excluded,
    },
  };
}

export function targetSha256(sortedDeviceIds: readonly string[]): string {
  return createHash('sha256').update(sortedDeviceIds.join('\n')).digest('hex');
}

async function missingDeviceError(
  executor: Executor,
  query: TargetQuery,
  wanted: readonly string[],
): Promise<PortalError> {
  const found = await selectTargetDevices(executor, query);
  const known = new Set(found.map((device) => device.deviceId));
  const missing = distinctIds(wanted).filter((id) => !known.has(id));
  return new PortalError('deviceNotFound', {
    facts: { deviceId: missing[0] ?? null, missing: missing.length },
  });
}

const errorOf: Readonly<Record<ExclusionReason, ErrorName>> = {
  'not-permitted': 'noPermission',
  suspended: 'invalidParameters',
  retired: 'invalidParameters',
  'no-instance': 'deviceInstanceNotFound',
  'no-serial-number': 'commandHasNoSerialNumber',
  'needs-agent': 'invalidParameters',
  'agent-too-old': 'invalidParameters',
  busy: 'invalidParameters',
};

function noTargetError(
  { first, found, excluded }: TargetFacts,
  resolved: ResolvedCommand,
  isUndo: boolean,
): PortalError {
  const reason = first?.exclusion;
  if (first === null || reason === null || reason === undefined) {
    return new PortalError('commandHasNoDevice', { facts: { matched: 0 } });
  }
  const facts = { deviceId: first.deviceId, device: first.name, reason, excluded: found };
  if (excluded[reason] !== found) {
    return new PortalError('commandHasNoDevice', { facts: { matched: found } });
  }
  if (reason === 'not-permitted') {
    return new PortalError('noPermission', {
      facts: { ...facts, permission: missingPermission(resolved) },
    });
  }
  if (reason === 'busy') {
    return refuse('lock-held', { field: 'whenLocked', facts: { ...facts, device: first.name } });
  }
  if (reason === 'needs-agent') {
    const [obstacle = 'action'] = runCommandObstaclesOf(resolved, isUndo);
    return refuse('command-needs-agent', { field: 'target', facts: { ...facts, obstacle } });
  }
  if (reason === 'agent-too-old') {
    return refuse('ssm-agent-too-old', { field: 'target', facts });
  }
  if (reason === 'suspended' || reason === 'retired') {
    return refuse('device-takes-no-commands', {
      field: 'target',
      facts: { ...facts, device: first.name, lifecycle: reason },
    });
  }
  return new PortalError(errorOf[reason], { facts });
}
