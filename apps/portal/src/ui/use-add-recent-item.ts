import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RecentItem } from '@deviceportal/contract/session';
import { useApi } from '../api/use-api.ts';

/** Adds the item of a page to the user’s recent items, once per visit. */
export function useAddRecentItem(item: Omit<RecentItem, 'at'> | null | undefined): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { mutate } = useMutation(
    api.session.remember.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(api.session.recent.queryFilter()),
    }),
  );
  const key = item ? JSON.stringify({ kind: item.kind, id: item.id, label: item.label }) : null;
  useEffect(() => {
    if (key !== null) mutate(JSON.parse(key) as Omit<RecentItem, 'at'>);
  }, [key, mutate]);
}
