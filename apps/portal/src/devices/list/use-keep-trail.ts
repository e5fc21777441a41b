import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { keepTrail } from '../device-trail.ts';
import type { DeviceList } from './use-device-list.ts';

/** Stores the shown rows, so that the page of a device knows its neighbors. */
export function useKeepTrail({ input, rows, pages, query, count }: DeviceList): void {
  // The address changes to the next page while the previous one is still shown.
  const href = useLocation({
    select: (location) => (location.pathname === '/devices' ? location.href : null),
  });
  const nextCursor = query.data?.nextCursor ?? null;
  const { previousCursors, rowsBefore } = pages;
  const total = count?.exact === true ? count.count : null;
  const inputText = JSON.stringify(input);
  useEffect(() => {
    // Skips empty lists, and lists of the previous filter that are shown while the next one loads.
    if (href === null || rows === undefined || rows.length === 0 || query.isPlaceholderData) return;
    keepTrail({
      href,
      input: JSON.parse(inputText) as DeviceList['input'],
      stops: rows.map(({ id, serialNumber, name }) => ({ id, label: serialNumber ?? name })),
      previousCursors,
      nextCursor,
      rowsBefore,
      total,
    });
  }, [
    href,
    inputText,
    rows,
    previousCursors,
    nextCursor,
    rowsBefore,
    total,
    query.isPlaceholderData,
  ]);
}
