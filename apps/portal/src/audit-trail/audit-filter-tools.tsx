import Alert from '@cloudscape-design/components/alert';
import Toggle from '@cloudscape-design/components/toggle';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditFilter } from '@deviceportal/contract/audit-trail';
import type { SavedView } from '@deviceportal/contract/devices';
import { useApi } from '../api/use-api.ts';
import { SavedViewActions } from '../devices/list/views/saved-view-actions.tsx';
import { SavedViewSelect } from '../devices/list/views/saved-view-select.tsx';
import { VIEWS_KEPT_MS } from '../devices/list/views/use-default-view.ts';
import { useT } from '../i18n/use-t.ts';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';
import { PropertyFilterBar } from '../ui/property-filter-bar.tsx';
import { TimeRangePicker } from '../ui/time/time-range-picker.tsx';
import { encodeTimeRange, type TimeRange } from '../ui/time/time-range.ts';
import { auditViews } from './audit-views.ts';
import type { DecodedAuditFilter } from './audit-filter.ts';
import { useAuditFilterProperties, type DeviceWords } from './use-audit-filter-properties.ts';

export interface AuditFilterToolsProps {
  readonly decoded: DecodedAuditFilter;
  readonly device: DeviceWords | null;
  readonly filter: AuditFilter;
  readonly range: TimeRange;
  readonly onFilter: (query: FilterQuery) => void;
  readonly onRange: (range: TimeRange) => void;
  /** The ID of the saved view in the address. */
  readonly viewId: string;
  /** Null if no view is selected. */
  readonly onView: (view: SavedView | null) => void;
  readonly onSavedView: (view: SavedView) => void;
  /** Shows repeated events one by one. */
  readonly flat: boolean;
  readonly onFlat: (flat: boolean) => void;
}

const choices = [
  { amount: 1, unit: 'h' },
  { amount: 24, unit: 'h' },
  { amount: 7, unit: 'd' },
  { amount: 30, unit: 'd' },
  { amount: 365, unit: 'd' },
] as const;

/** The filter and time range. */
export function AuditFilterTools(props: AuditFilterToolsProps): ReactNode {
  const { decoded, device, filter, range, onFilter, onRange } = props;
  const t = useT();
  const api = useApi();
  const properties = useAuditFilterProperties(filter, device);
  const views = useQuery(
    api.devices.listViews.queryOptions({ screen: auditViews.id }, { staleTime: VIEWS_KEPT_MS }),
  );
  const current = views.data?.find(({ id }) => id === props.viewId);
  const address = { q: encodeFilter(decoded.query), t: encodeTimeRange(range) };
  return (
    <>
      <div className="dp-audit-tools">
        <div className="dp-audit-filter">
          <PropertyFilterBar
            properties={properties}
            query={decoded.query}
            onChange={onFilter}
            placeholder={t('auditTrail.filter.placeholder')}
            customControl={
              <SavedViewSelect
                views={views.data ?? []}
                current={current}
                search={address}
                screen={auditViews}
                loading={views.isLoading}
                onChoose={props.onView}
              />
            }
            customActions={
              <SavedViewActions
                current={current}
                search={address}
                screen={auditViews}
                onSaved={props.onSavedView}
                onRemoved={() => props.onView(null)}
              />
            }
          />
        </div>
        <TimeRangePicker value={range} onChange={onRange} choices={choices} />
        <div className="dp-audit-fold">
          <Toggle checked={!props.flat} onChange={({ detail }) => props.onFlat(!detail.checked)}>
            {t('auditTrail.page.fold')}
          </Toggle>
        </div>
      </div>
      {decoded.dropped.length === 0 ? null : (
        <Alert type="info">
          {t('auditTrail.page.dropped', {
            tokens: encodeFilter({ tokens: decoded.dropped, operation: 'and' }),
          })}
        </Alert>
      )}
    </>
  );
}
