import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { keepTrail } from '../device-trail.ts';
import type { DeviceList } from './use-device-list.ts';

/** Remembers the shown rows, so that a device opened from here knows its neighbours. */
export function useKeepTrail({ input, rows, pages, query, count }: DeviceList): void {
  // The address changes to the next page's while this one is still on screen.
  const href = useLocation({
    select: (location) => (location.pathname === '/devices' ? location.href : null),
  });
  const nextCursor = query.data?.nextCursor ?? null;
  const { previousCursors, rowsBefore } = pages;
  const total = count?.exact === true ? count.count : null;
  const inputText = JSON.stringify(input);
  useEffect(() => {
    // A list of none, or of another filter that is still shown while the next one loads, leads nowhere.
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
