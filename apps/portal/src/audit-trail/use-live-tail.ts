import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { AuditEvent, AuditFilter } from '@deviceportal/contract/audit-trail';
import { useApi } from '../api/use-api.ts';
import { useWatch } from '../live/use-watch.ts';
import { refreshMs } from '../live/refresh-policy.ts';

const MOST_COUNTED = 100;
const QUIET_MS = 1_000;
/** Nearer to the top than this one watches the head of the list. */
const TOP_PX = 160;

export interface LiveTail {
  /** Matching events that are not on the shown page; at most 100 are counted. */
  readonly count: number;
  readonly isMore: boolean;
}

export interface LiveTailOptions {
  readonly enabled: boolean;
  readonly filter: AuditFilter;
  readonly shown: readonly AuditEvent[] | undefined;
  readonly isFirstPage: boolean;
  readonly onShow: () => void;
}

/**
 * Follows the trail: asks for what is newer than the page whenever the live channel tells of events, and every ten
 * seconds in any case. At the top of the first page they are shown, elsewhere they are only counted,
 * because rows must not move under the pointer.
 */
export function useLiveTail({
  enabled,
  filter,
  shown,
  isFirstPage,
  onShow,
}: LiveTailOptions): LiveTail {
  const api = useApi();
  const queryClient = useQueryClient();
  const newestAt = isFirstPage ? shown?.[0]?.at : undefined;
  const from = newestAt ?? filter.range.from;
  const options = api.auditTrail.list.queryOptions(
    { filter: { ...filter, range: { ...filter.range, from } }, pageSize: MOST_COUNTED },
    {
      enabled: enabled && shown !== undefined && filter.range.to === null,
      // Not every event is told of on the channel: what concerns no device is not.
      refetchInterval: refreshMs.work,
      staleTime: 0,
    },
  );
  const newer = useQuery(options).data?.rows;
  const { queryKey } = options;
  const keyText = JSON.stringify(queryKey);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey });
    }, QUIET_MS);
    // The key is a new array each time; its content decides.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [queryClient, keyText]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useWatch(enabled ? { kind: 'audit-trail', deviceId: filter.deviceId } : null, look);
  const unseen = useMemo(() => {
    if (!enabled || newer === undefined || !isFirstPage) return [];
    const ids = new Set(shown?.map(({ id }) => id));
    return newer.filter(({ id }) => !ids.has(id));
  }, [enabled, newer, shown, isFirstPage]);
  const latestShow = useRef(onShow);
  useEffect(() => {
    latestShow.current = onShow;
  });
  const newestId = unseen[0]?.id;
  useEffect(() => {
    // Once for each newest event: until the list has answered, the same events are still unseen.
    if (newestId !== undefined && window.scrollY < TOP_PX && !isInTable()) latestShow.current();
  }, [newestId]);
  return { count: unseen.length, isMore: unseen.length >= MOST_COUNTED - 1 };
}

/** Who goes through the rows by keyboard must not lose the place either. */
function isInTable(): boolean {
  return document.activeElement?.closest('tbody') != null;
}
