import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { useApi } from '../../../api/use-api.ts';
import { useFormat } from '../../../i18n/format-values.ts';
import { useT } from '../../../i18n/use-t.ts';
import type { FilterQuery } from '../../../ui/filter-codec.ts';
import { PropertyFilterBar } from '../../../ui/property-filter-bar.tsx';
import { SavedViewActions } from '../views/saved-view-actions.tsx';
import { SavedViewSelect } from '../views/saved-view-select.tsx';
import type { ViewSearch } from '../views/saved-views.ts';
import { VIEWS_KEPT_MS } from '../views/use-default-view.ts';
import type { DeviceList } from '../use-device-list.ts';
import { useDeviceFilterProperties } from './use-device-filter-properties.ts';

export interface DeviceFilterBarProps {
  readonly query: FilterQuery;
  readonly count: DeviceList['count'];
  readonly search: ViewSearch;
  readonly viewId: string;
  readonly onChange: (query: FilterQuery) => void;
  readonly onView: (view: SavedView | null) => void;
  readonly onSavedView: (view: SavedView) => void;
}

/** Saved views and the property filter. */
export function DeviceFilterBar(props: DeviceFilterBarProps): ReactNode {
  const { query, count, search, viewId } = props;
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const properties = useDeviceFilterProperties(query);
  const views = useQuery(
    api.devices.listViews.queryOptions({ screen: 'devices' }, { staleTime: VIEWS_KEPT_MS }),
  );
  const current = views.data?.find(({ id }) => id === viewId);
  const matches =
    count === undefined ? '' : `${format.number(count.count)}${count.exact ? '' : '+'}`;
  return (
    <PropertyFilterBar
      properties={properties}
      query={query}
      onChange={props.onChange}
      placeholder={t('devices.filter.placeholder')}
      {...(matches === ''
        ? {}
        : { countText: t('devices.filter.matches', { matches, count: count?.count ?? 0 }) })}
      customControl={
        <SavedViewSelect
          views={views.data ?? []}
          current={current}
          search={search}
          loading={views.isLoading}
          onChoose={props.onView}
        />
      }
      customActions={
        <SavedViewActions
          current={current}
          search={search}
          onSaved={props.onSavedView}
          onRemoved={() => props.onView(null)}
        />
      }
    />
  );
}
