import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { AuditEvent, AuditFilter } from '@deviceportal/contract/audit-trail';
import { useApi } from '../api/use-api.ts';
import { useWatch } from '../live/use-watch.ts';
import { refreshMs } from '../live/refresh-policy.ts';

const MOST_COUNTED = 100;
const QUIET_MS = 1_000;
/** The scroll position in pixels up to which the list counts as at the top. */
const TOP_PX = 160;

export interface LiveTail {
  /** The number of matching events that are not shown, at most 100. */
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
 * Checks for newer events when the live channel reports events, and every ten seconds. New rows are
 * shown at the top of the first page and only counted elsewhere, because rows must not move under
 * the pointer.
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
      // The live channel reports only events of devices.
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
    // The key is a new array with each render, so its content is compared.
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
    // Once per newest event, because the same events count as new until the list has loaded.
    if (newestId !== undefined && window.scrollY < TOP_PX && !isInTable()) latestShow.current();
  }, [newestId]);
  return { count: unseen.length, isMore: unseen.length >= MOST_COUNTED - 1 };
}

/** Keyboard users must not lose their row either. */
function isInTable(): boolean {
  return document.activeElement?.closest('tbody') != null;
}
