import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { AuditEvent, AuditFilter } from '@deviceportal/contract/audit-trail';
import { useApi } from '../api/use-api.ts';
import { serverNowMs } from '../ui/time/server-clock.ts';
import { useTablePageSize } from '../ui/table/data-table.tsx';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { momentsOf, parseTimeRange, type TimeRange } from '../ui/time/time-range.ts';
import { decodeAuditFilter, isUuid, type AuditFilterSearch } from './audit-filter.ts';
import type { DeviceWords } from './use-audit-filter-properties.ts';
import { useContinuedSearch, useSearchParts } from './use-continued-search.ts';

export const AUDIT_TABLE = 'audit-trail';
const DEFAULT_RANGE: TimeRange = { kind: 'relative', amount: 24, unit: 'h' };

/** The events of an address: the filter of the request and the page of results. */
export function useAuditTrail(
  search: AuditFilterSearch & {
    readonly t: string;
    readonly archive: boolean;
    readonly flat: boolean;
  },
) {
  const api = useApi();
  const [asOfMs, setAsOfMs] = useState(serverNowMs);
  const range = useMemo(() => parseTimeRange(search.t) ?? DEFAULT_RANGE, [search.t]);
  const { q, device, actor, ref } = search;
  const decoded = useMemo(
    () => decodeAuditFilter({ q, device, actor, ref }),
    [q, device, actor, ref],
  );
  const asked = useAskedDevice(decoded.device);
  const deviceId = asked.device?.id ?? null;
  const filter = useMemo<AuditFilter>(
    () => ({ ...decoded.filter, deviceId, range: momentsOf(range, asOfMs) }),
    [decoded, deviceId, range, asOfMs],
  );
  const pageSize = useTablePageSize(AUDIT_TABLE);
  const pages = useKeysetPages(JSON.stringify([filter, pageSize, search.archive, search.flat]));
  const searchParts = useSearchParts<AuditEvent>(
    JSON.stringify([filter, pageSize, search.archive, search.flat, pages.cursor]),
    pages.cursor,
  );
  const input = { filter, pageSize, cursor: searchParts.parts.cursor };
  const known = !asked.pending && !asked.unknown;
  const recent = useQuery(
    api.auditTrail.list.queryOptions(
      { ...input, whole: !search.flat },
      {
        placeholderData: keepPreviousData,
        enabled: known && !search.archive,
      },
    ),
  );
  const archived = useQuery(
    api.auditTrail.listArchived.queryOptions(input, {
      placeholderData: keepPreviousData,
      enabled: known && search.archive,
      staleTime: 600_000,
      retry: false,
    }),
  );
  const query = search.archive ? archived : recent;
  const found = useContinuedSearch(searchParts, query, pageSize);
  // Refreshing moves a relative time range to the current time.
  const refresh = useCallback(() => setAsOfMs(serverNowMs()), []);
  return {
    range,
    decoded,
    asked,
    filter,
    pages,
    query,
    found,
    refresh,
    archivedUntil: recent.data?.archivedUntil ?? null,
    gaps: archived.data?.gaps ?? [],
  };
}

/** Resolves a serial number in the address to a device ID, because the trail contains only IDs. */
function useAskedDevice(reference: string | null) {
  const api = useApi();
  const found = useQuery(
    api.devices.get.queryOptions(
      { device: reference ?? '' },
      { enabled: reference !== null, retry: false, staleTime: 300_000 },
    ),
  );
  const { data } = found;
  return useMemo(() => {
    // The trail knows a device ID even if the device was deleted or is not visible to the viewer.
    const bare =
      reference !== null && isUuid(reference) ? { id: reference, label: reference } : null;
    const device: DeviceWords | null =
      reference === null
        ? null
        : data === undefined
          ? bare
          : { id: data.id, label: data.serialNumber ?? data.name };
    return {
      device,
      pending: reference !== null && device === null && !found.isError,
      unknown: reference !== null && device === null && found.isError,
    };
  }, [reference, data, found.isError]);
}
