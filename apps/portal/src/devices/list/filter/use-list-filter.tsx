import { getRouteApi } from '@tanstack/react-router';
import { Suspense, lazy, useEffect, useMemo, useState, type ReactNode } from 'react';
import { loadAllWords, loadListWords } from '../../../i18n/language-store.ts';
import { afterPaint } from '../../../ui/after-paint.ts';
import { DroppedTokensNote } from './dropped-tokens-note.tsx';
import type { DeviceList } from '../use-device-list.ts';
import { useFilterOrList } from './use-filter-or-list.ts';
import { useListAddress } from '../use-list-address.ts';
import type { Selection } from '../use-selection.ts';

const route = getRouteApi('/devices');
const DeviceFilterBar = lazy(async () => {
  const [module] = await Promise.all([import('./device-filter-bar.tsx'), loadListWords()]);
  return { default: module.DeviceFilterBar };
});
const AllMatchesNote = lazy(async () => {
  const [module] = await Promise.all([import('./all-matches-note.tsx'), loadListWords()]);
  return { default: module.AllMatchesNote };
});
const TargetListNote = lazy(async () => {
  const [module] = await Promise.all([import('../target-list-note.tsx'), loadListWords()]);
  return { default: module.TargetListNote };
});
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
  return useMemo(() => {
    const place = <div className={tokens.tokens.length === 0 ? PLACE : PLACE_WITH_TOKENS} />;
    return (
      <div className="dp-stack">
        {isShown ? (
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
        ) : (
          place
        )}
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
              selected={selected.length}
              count={count}
              isAll={isAll}
              onSelectAll={selectAll}
            />
          </Suspense>
        ) : null}
      </div>
    );
  }, [
    isShown,
    tokens,
    dropped,
    count,
    q,
    op,
    sort,
    targets,
    view,
    address,
    filter,
    showsNote,
    selected.length,
    isAll,
    selectAll,
  ]);
}
