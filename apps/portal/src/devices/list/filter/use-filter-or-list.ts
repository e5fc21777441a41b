import { useCallback } from 'react';
import type { FilterQuery } from '../../../ui/filter-codec.ts';
import { listedSerialNumbers } from '../parse-serial-numbers.ts';
import { useSerialNumberList } from '../use-serial-number-list.ts';

/**
 * Entering several serial numbers as text filters by a stored list, which reports the unknown ones.
 */
export function useFilterOrList(
  filter: (query: FilterQuery, targets?: string) => void,
): (query: FilterQuery) => void {
  const keepList = useSerialNumberList();
  return useCallback(
    (query) => {
      const listed = (token: FilterQuery['tokens'][number]): readonly string[] =>
        token.key === undefined ? listedSerialNumbers(token.values.join(' ')) : [];
      const serialNumbers = query.tokens.flatMap(listed);
      if (serialNumbers.length === 0) return filter(query);
      const tokens = query.tokens.filter((token) => listed(token).length === 0);
      keepList(serialNumbers, (listId) => filter({ ...query, tokens }, listId));
    },
    [filter, keepList],
  );
}
