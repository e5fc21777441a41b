import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CommandTarget, TargetPreview } from '@deviceportal/contract/command-targets';
import type { RunGuard } from '@deviceportal/contract/run-rules';
import type { DeviceDetail, DeviceFilter } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { decodeDeviceFilter } from '../../devices/list/filter/device-filter.ts';
import { useWatch } from '../../live/use-watch.ts';
import type { CommandSearch } from '../catalog/command-search.ts';

export type Target =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'one';
      readonly reference: string;
      readonly device: UseQueryResult<DeviceDetail, unknown>;
    }
  | {
      readonly kind: 'many';
      readonly filter: DeviceFilter;
      readonly preview: UseQueryResult<TargetPreview, unknown>;
    };

export interface TargetQuestion {
  readonly command: string;
  readonly document: string;
  /** The command is loaded. The target cannot be resolved before. */
  readonly ready: boolean;
}

/** The target of the address: one device, a stored list, a filter, or none. */
export function useTarget(search: CommandSearch, question: TargetQuestion): Target {
  const api = useApi();
  const filter = useMemo(() => filterOf(search), [search]);
  const one = search.device !== '';
  const device = useQuery(
    api.devices.get.queryOptions({ device: search.device || '-' }, { enabled: one }),
  );
  const preview = useQuery(
    api.commands.previewTarget.queryOptions(
      {
        command: question.command,
        document: question.document,
        target: { kind: 'filter', filter: filter ?? {} },
      },
      { enabled: !one && filter !== null && question.ready, staleTime: 30_000 },
    ),
  );
  const { refetch } = device;
  useWatch(device.data === undefined ? null : { kind: 'devices', ids: [device.data.id] }, () => {
    void refetch();
  });
  if (one) return { kind: 'one', reference: search.device, device };
  return filter === null ? { kind: 'none' } : { kind: 'many', filter, preview };
}

function filterOf(search: CommandSearch): DeviceFilter | null {
  if (search.targets === '' && search.filter === '' && !search.all) return null;
  const { filter } = decodeDeviceFilter({
    q: search.filter,
    op: search.op,
    targets: search.targets,
  });
  return {
    text: filter.text ?? '',
    tokens: filter.tokens ?? [],
    operation: filter.operation ?? 'and',
    targetListId: filter.targetListId ?? null,
  };
}

/** The target to send. Null if there is none, which the server rejects with 4001. */
export function sentTarget(target: Target): CommandTarget | null {
  if (target.kind === 'many') return { kind: 'filter', filter: target.filter };
  if (target.kind === 'none' || target.device.data === undefined) return null;
  return { kind: 'devices', deviceIds: [target.device.data.id] };
}

/**
 * The devices on screen. The server rejects a run on other devices. A single device is sent by its
 * ID.
 */
export interface ShownTarget {
  readonly targetSha256: string | null;
  readonly targetCount: number | null;
}

export const shownTarget = (
  preview: Pick<TargetPreview, 'sha256' | 'count'> | undefined,
): ShownTarget => ({
  targetSha256: preview?.sha256 ?? null,
  targetCount: preview?.count ?? null,
});

/** The requirement of the run policy, as far as it is known before the run is sent. */
export const guardOfTarget = (target: Target): RunGuard =>
  target.kind === 'many' ? (target.preview.data?.guard ?? 'none') : 'none';

/** The target in a sentence: a serial number, a name, or the number of devices. */
export function targetLabel(target: Target): string | number | null {
  if (target.kind === 'many') return target.preview.data?.count ?? null;
  if (target.kind === 'none' || target.device.data === undefined) return null;
  return target.device.data.serialNumber ?? target.device.data.name;
}
