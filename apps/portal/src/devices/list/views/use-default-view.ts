import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { usePreferences } from '../../../ui/preferences-store.ts';
import { useViewer } from '../../../session/viewer-context.tsx';
import { ALL_DEVICES, isBareAddress } from './saved-views.ts';
import { useListAddress } from '../use-list-address.ts';

const route = getRouteApi('/devices');

export const VIEWS_KEPT_MS = 60_000;

/**
 * Opens the user’s default view if the address contains no filter. Returns true while the view is
 * loading, so that no other list is shown before it.
 */
export function useDefaultView(): boolean {
  const api = useApi();
  const search = route.useSearch();
  const { openView } = useListAddress();
  const { detail } = useViewer();
  // The session response arrives with the page, the locally stored preferences slightly later.
  const { defaultViews = detail.preferences.defaultViews } = usePreferences();
  const id = defaultViews?.['devices'] ?? ALL_DEVICES;
  const isBare = isBareAddress(search);
  // Only on arrival, because a user who clears the filter does not want the view to open again.
  const [isArriving, setIsArriving] = useState(isBare && id !== ALL_DEVICES);
  const views = useQuery(
    api.devices.listViews.queryOptions(
      { screen: 'devices' },
      { staleTime: VIEWS_KEPT_MS, enabled: isArriving },
    ),
  );
  const isKnown = views.isSuccess || views.isError;
  const view = views.data?.find((each) => each.id === id);
  // A view that was deleted leaves the list unchanged.
  const opened = isArriving && isBare ? view : undefined;
  if (isArriving && isKnown && opened === undefined) setIsArriving(false);
  useEffect(() => {
    if (opened !== undefined) openView(opened);
  }, [opened, openView]);
  return isArriving;
}
