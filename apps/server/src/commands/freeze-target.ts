import { createHash } from 'node:crypto';
import type { CommandTarget, ExclusionReason } from '@deviceportal/contract/commands';
import { PortalError, type ErrorName } from '@deviceportal/contract/errors';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ResolvedCommand } from './resolve-command.ts';
import { missingPermission } from './run-policy.ts';
import { targetQuery } from './target-query.ts';
import { selectTargetDevices, type TargetDevice } from './target-store.ts';

/** Exactly these devices, whatever matches a filter later. */
export interface FrozenTarget {
  readonly devices: readonly TargetDevice[];
  /** SHA-256 over the sorted device ids, one a line. */
  readonly sha256: string;
  /** As `command_run.target` keeps it: the devices themselves are the run's invocations. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** One device, chosen by itself. */
  readonly single: boolean;
}

/**
 * @throws PortalError 6000 when a chosen device does not exist for the viewer; for one chosen device 1000, 2004
 *   (suspended, retired), 6001 or 4003; for several, the same where it holds for each of them; 4001 when the target
 *   is empty
 */
export async function freezeTarget(
  executor: Executor,
  viewer: Viewer,
  options: {
    readonly resolved: ResolvedCommand;
    readonly target: CommandTarget;
    readonly now: Date;
  },
): Promise<FrozenTarget> {
  const { resolved, target } = options;
  const found = await selectTargetDevices(executor, await targetQuery(executor, viewer, options));
  if (target.kind === 'devices') requireAllFound(target.deviceIds, found);
  const devices = found.filter((device) => device.exclusion === null);
  if (devices.length === 0) throw whyNone(found, resolved);
  return {
    devices,
    sha256: targetSha256(devices.map((device) => device.deviceId)),
    single: target.kind === 'devices' && found.length === 1,
    summary: {
      ...(target.kind === 'filter' ? target : { kind: 'devices', chosen: found.length }),
      count: devices.length,
      excluded: countReasons(found),
    },
  };
}

export function targetSha256(sortedDeviceIds: readonly string[]): string {
  return createHash('sha256').update(sortedDeviceIds.join('\n')).digest('hex');
}

function requireAllFound(wanted: readonly string[], found: readonly TargetDevice[]): void {
  const known = new Set(found.map((device) => device.deviceId));
  const missing = [...new Set(wanted)].filter((id) => !known.has(id.toLowerCase()));
  if (missing.length === 0) return;
  throw new PortalError('deviceNotFound', {
    facts: { deviceId: missing[0] ?? null, missing: missing.length },
  });
}

const errorOf: Readonly<Record<ExclusionReason, ErrorName>> = {
  'not-permitted': 'noPermission',
  suspended: 'invalidParameters',
  retired: 'invalidParameters',
  'no-instance': 'deviceInstanceNotFound',
  'no-serial-number': 'commandHasNoSerialNumber',
};

function whyNone(found: readonly TargetDevice[], resolved: ResolvedCommand): PortalError {
  const first = found[0];
  const reason = first?.exclusion;
  if (first === undefined || reason === null || reason === undefined) {
    return new PortalError('commandHasNoDevice', { facts: { matched: 0 } });
  }
  const facts = { deviceId: first.deviceId, device: first.name, reason, excluded: found.length };
  if (!found.every((device) => device.exclusion === reason)) {
    return new PortalError('commandHasNoDevice', { facts: { matched: found.length } });
  }
  if (reason === 'not-permitted') {
    return new PortalError('noPermission', {
      facts: { ...facts, permission: missingPermission(resolved) },
    });
  }
  if (reason === 'suspended' || reason === 'retired') {
    return new PortalError('invalidParameters', {
      message: `${first.name} is ${reason} and takes no commands`,
      issues: [{ path: ['target'], message: `the device is ${reason}` }],
      facts: { ...facts, lifecycle: reason },
    });
  }
  return new PortalError(errorOf[reason], { facts });
}

function countReasons(found: readonly TargetDevice[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { exclusion } of found) {
    if (exclusion !== null) counts[exclusion] = (counts[exclusion] ?? 0) + 1;
  }
  return counts;
}
