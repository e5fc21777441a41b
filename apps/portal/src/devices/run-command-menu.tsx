import ButtonDropdown, {
  type ButtonDropdownProps,
} from '@cloudscape-design/components/button-dropdown';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, type ReactNode, type Ref } from 'react';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import { useApi } from '../api/use-api.ts';
import { commandHref } from '../commands/command-href.ts';
import { useCommandWords, type CommandWords } from '../commands/use-command-words.ts';
import { loadAllWords } from '../i18n/language-store.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { afterPaint } from '../ui/after-paint.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import type { DeviceFilterSearch } from './list/filter/device-filter.ts';
import {
  disabledReasonOf,
  orderCommands,
  targetDisabledReasonOf,
  type CommandDisabledReason,
  type CommandTarget,
} from './command-choices.ts';

export interface RunCommandMenuProps {
  /** One device, or a selection. Without targets, the menu is disabled. */
  readonly targets: readonly CommandTarget[];
  /** The filter whose matches replace the targets. */
  readonly allMatching?: DeviceFilterSearch | undefined;
  readonly label: string;
  readonly variant?: 'primary' | 'normal';
  readonly menuRef?: Ref<ButtonDropdownProps.Ref>;
}

const noTargets: readonly CommandTarget[] = [];
const CATALOG_KEPT_MS = 300_000;
const groups = ['diagnose', 'fix', 'change', 'reset', 'free'] as const;

/** The command catalog as a menu. Commands without permission come last, with the reason. */
export function RunCommandMenu(props: RunCommandMenuProps): ReactNode {
  const { allMatching, label, variant = 'normal', menuRef } = props;
  // The page of the command reports unsuitable devices, after counting them.
  const targets = allMatching === undefined ? props.targets : noTargets;
  const t = useT();
  const api = useApi();
  const words = useCommandWords();
  const { may } = useViewer();
  const run = useRunCommandOn(targets, allMatching);
  const commands = useQuery(
    api.commands.list.queryOptions(undefined, {
      staleTime: CATALOG_KEPT_MS,
      enabled: may('commands:read'),
    }),
  );
  const items = useMemo(
    () => menuItems(commands.data ?? [], targets, { t, words }),
    [commands.data, targets, t, words],
  );
  const hasTargets = targets.length > 0 || allMatching !== undefined;
  useEffect(
    () => (hasTargets ? afterPaint(() => void loadAllWords().catch(() => undefined)) : undefined),
    [hasTargets],
  );
  const targetReason = targetDisabledReasonOf(targets);
  const reason = !may('commands:read')
    ? t('app.needsPermission', { permission: 'commands:read' })
    : !hasTargets
      ? t('devices.command.noSelection')
      : targetReason === null
        ? undefined
        : t(`devices.command.hindered.${targetReason}`);
  return (
    <ButtonDropdown
      ref={menuRef}
      items={items}
      variant={variant}
      expandableGroups={false}
      expandToViewport
      loading={commands.isLoading || run.isPending}
      disabled={reason !== undefined}
      {...(reason === undefined ? {} : { disabledReason: reason })}
      onItemClick={({ detail }) => run.start(detail.id)}
    >
      {label}
    </ButtonDropdown>
  );
}

/** Opens a command with one device, or with a stored list of the selected serial numbers. */
function useRunCommandOn(
  targets: readonly CommandTarget[],
  allMatching?: DeviceFilterSearch,
): {
  readonly start: (command: string) => void;
  readonly isPending: boolean;
} {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const createList = useMutation(
    api.devices.createTargetList.mutationOptions({ onError: showError }),
  );
  const start = (command: string): void => {
    if (allMatching !== undefined) {
      const { q: filter, op, targets: list } = allMatching;
      const isOr = op === 'or' ? { op } : {};
      navigateTo(commandHref(command, { filter, ...isOr, targets: list, all: '1' }));
      return;
    }
    const [first, ...rest] = targets;
    if (first !== undefined && rest.length === 0) {
      navigateTo(`/commands/${command}?device=${encodeURIComponent(first.id)}`);
      return;
    }
    const text = targets.flatMap(({ serialNumber }) => serialNumber ?? []).join('\n');
    createList.mutate(
      { name: t('devices.command.selectionName', { count: targets.length }), text },
      { onSuccess: (list) => navigateTo(`/commands/${command}?targets=${list.id}`) },
    );
  };
  return { start, isPending: createList.isPending };
}

interface MenuWords {
  readonly t: Translate;
  readonly words: CommandWords;
}

function menuItems(
  commands: readonly CommandDefinition[],
  targets: readonly CommandTarget[],
  { t, words }: MenuWords,
): ButtonDropdownProps.ItemOrGroup[] {
  const ordered = orderCommands(commands, targets);
  return groups.flatMap((group): ButtonDropdownProps.ItemOrGroup[] => {
    const items = ordered
      .filter((command) => command.group === group)
      .map((command) => toItem(command, targets, { t, words }));
    return items.length === 0
      ? []
      : [{ id: group, text: t(`devices.command.group.${group}`), items }];
  });
}

function toItem(
  command: CommandDefinition,
  targets: readonly CommandTarget[],
  { t, words }: MenuWords,
): ButtonDropdownProps.Item {
  const reason = disabledReasonOf(command, targets);
  return {
    id: command.command,
    text: command.command,
    secondaryText: words.description(command),
    ...(command.favorite ? { iconName: 'star-filled' as const } : {}),
    ...(reason === null ? {} : { disabled: true, disabledReason: disabledReasonText(reason, t) }),
  };
}

function disabledReasonText(reason: CommandDisabledReason, t: Translate): string {
  switch (reason.code) {
    case 'permission':
      return t('app.needsPermission', { permission: reason.permission });
    case 'platform':
      return t('devices.command.hindered.platform', { platforms: reason.platforms });
    case 'serial-number':
      return t('devices.command.hindered.serial-number');
  }
}
