import { getRouteApi } from '@tanstack/react-router';
import { Suspense, lazy, useEffect, useMemo, useState, type ReactNode } from 'react';
import { loadAllWords } from '../../../i18n/language-store.ts';
import { lazyWithListWords } from '../../../i18n/lazy-with-list-words.tsx';
import { afterPaint } from '../../../ui/after-paint.ts';
import { DroppedTokensNote } from './dropped-tokens-note.tsx';
import type { DeviceList } from '../use-device-list.ts';
import { useFilterOrList } from './use-filter-or-list.ts';
import { useListAddress } from '../use-list-address.ts';
import type { Selection } from '../use-selection.ts';

const route = getRouteApi('/devices');
const DeviceFilterBar = lazyWithListWords(
  async () => (await import('./device-filter-bar.tsx')).DeviceFilterBar,
);
const AllMatchesNote = lazyWithListWords(
  async () => (await import('./all-matches-note.tsx')).AllMatchesNote,
);
const TargetListNote = lazyWithListWords(
  async () => (await import('../target-list-note.tsx')).TargetListNote,
);
// Loaded separately, because it needs the texts of another area.
const RestatingNote = lazy(async () => {
  const [module] = await Promise.all([
    import('../../../versions/restating-note.tsx'),
    loadAllWords(),
  ]);
  return { default: module.RestatingNote };
});

// Reserves the height of the filter, so that rows do not move when it loads.
const PLACE = 'dp-filter-place';
const PLACE_WITH_TOKENS = `${PLACE} dp-filter-place-tokens`;

/** The filter with its notes. The element is stable until one of them changes. */
export function useListFilter(
  { tokens, dropped, count, rows, query, pages }: DeviceList,
  { selected, isAll, selectAll }: Selection,
): ReactNode {
  const { q, op, sort, targets, view } = route.useSearch();
  const address = useListAddress();
  const filter = useFilterOrList(address.filter);
  const isPart = typeof query.data?.nextCursor === 'string' || pages.pageNumber > 1;
  const isPageSelected = selected.length > 0 && selected.length === rows?.length;
  const showsNote = isAll || (isPageSelected && isPart);
  // The filter bar is loaded after the rows are on screen.
  const [isShown, setIsShown] = useState(false);
  const { isPending } = query;
  useEffect(() => (isPending ? undefined : afterPaint(() => setIsShown(true))), [isPending]);
  // Not rendered again when rows are selected.
  const bar = useMemo(() => {
    const place = <div className={tokens.tokens.length === 0 ? PLACE : PLACE_WITH_TOKENS} />;
    if (!isShown) return place;
    return (
      <Suspense fallback={place}>
        <DeviceFilterBar
          query={tokens}
          count={count}
          search={{ q, op, sort, targets }}
          viewId={view}
          onChange={filter}
          onView={address.openView}
          onSavedView={address.nameView}
        />
      </Suspense>
    );
  }, [isShown, tokens, count, q, op, sort, targets, view, filter, address]);
  // Only shown in the note.
  const selectedCount = showsNote ? selected.length : 0;
  return useMemo(
    () => (
      <div className="dp-stack">
        {bar}
        <DroppedTokensNote tokens={dropped} />
        {tokens.tokens.some(({ key }) => key === 'tavState') ? (
          <Suspense>
            <RestatingNote />
          </Suspense>
        ) : null}
        {targets === '' ? null : (
          <Suspense>
            <TargetListNote id={targets} onClear={address.clearTargets} />
          </Suspense>
        )}
        {showsNote && count !== undefined ? (
          <Suspense>
            <AllMatchesNote
              selected={selectedCount}
              count={count}
              isAll={isAll}
              onSelectAll={selectAll}
            />
          </Suspense>
        ) : null}
      </div>
    ),
    [bar, tokens, dropped, count, targets, address, showsNote, selectedCount, isAll, selectAll],
  );
}
