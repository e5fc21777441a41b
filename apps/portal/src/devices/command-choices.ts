import type { CommandDefinition } from '@deviceportal/contract/commands';
import type { DeviceRow } from '@deviceportal/contract/devices';

export type CommandTarget = Pick<
  DeviceRow,
  'id' | 'serialNumber' | 'lifecycle' | 'instanceId' | 'platform'
>;

/** The reason for which a command cannot be run on these devices. Null if it can. */
export type CommandDisabledReason =
  | { readonly code: 'permission'; readonly permission: string }
  | { readonly code: 'platform'; readonly platforms: string }
  | { readonly code: 'serial-number' };

export function disabledReasonOf(
  command: CommandDefinition,
  targets: readonly CommandTarget[],
): CommandDisabledReason | null {
  if (!command.allowed) {
    return {
      code: 'permission',
      permission: command.missingPermission ?? `commands:run:${command.command}`,
    };
  }
  if (targets.length === 0) return null;
  if (command.needsSerialNumber && targets.every(({ serialNumber }) => serialNumber === null)) {
    return { code: 'serial-number' };
  }
  const fits = ({ platform }: CommandTarget): boolean =>
    platform === null ||
    command.platforms.length === 0 ||
    command.platforms.some((name) => name.toLowerCase() === platform.toLowerCase());
  return targets.some(fits) ? null : { code: 'platform', platforms: command.platforms.join(', ') };
}

/** The reason for which no command can run on these devices. */
export type TargetDisabledReason = 'suspended' | 'retired' | 'no-instance';

export function targetDisabledReasonOf(
  targets: readonly CommandTarget[],
): TargetDisabledReason | null {
  if (targets.length === 0) return null;
  if (targets.every(({ lifecycle }) => lifecycle === 'retired')) return 'retired';
  if (targets.every(({ lifecycle }) => lifecycle === 'suspended')) return 'suspended';
  if (targets.every(({ instanceId }) => instanceId === null)) return 'no-instance';
  return null;
}

/** Sorts favorites first, then commands with permission, each by name. */
export function orderCommands(
  commands: readonly CommandDefinition[],
  targets: readonly CommandTarget[],
): readonly CommandDefinition[] {
  const rank = (command: CommandDefinition): number =>
    (disabledReasonOf(command, targets) === null ? 0 : 2) + (command.favorite ? 0 : 1);
  return commands.toSorted(
    (one, other) => rank(one) - rank(other) || one.command.localeCompare(other.command),
  );
}
