import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import type { AuditFilter } from '@deviceportal/contract/audit-trail';
import { useT } from '../i18n/use-t.ts';
import { encodeFilter, type FilterQuery } from '../shell/filter-codec.ts';
import { PropertyFilterBar } from '../shell/property-filter-bar.tsx';
import { TimeRangePicker } from '../shell/time-range-picker.tsx';
import type { TimeRange } from '../shell/time-range.ts';
import type { DecodedAuditFilter } from './audit-filter.ts';
import { useAuditFilterProperties, type DeviceWords } from './use-audit-filter-properties.ts';

export interface AuditFilterToolsProps {
  readonly decoded: DecodedAuditFilter;
  readonly device: DeviceWords | null;
  readonly filter: AuditFilter;
  readonly range: TimeRange;
  readonly onFilter: (query: FilterQuery) => void;
  readonly onRange: (range: TimeRange) => void;
}

const choices = [
  { amount: 1, unit: 'h' },
  { amount: 24, unit: 'h' },
  { amount: 7, unit: 'd' },
  { amount: 30, unit: 'd' },
  { amount: 365, unit: 'd' },
] as const;

/** What, and in which period. */
export function AuditFilterTools(props: AuditFilterToolsProps): ReactNode {
  const { decoded, device, filter, range, onFilter, onRange } = props;
  const t = useT();
  const properties = useAuditFilterProperties(filter, device);
  return (
    <>
      <div className="dp-audit-tools">
        <div className="dp-audit-filter">
          <PropertyFilterBar
            properties={properties}
            query={decoded.query}
            onChange={onFilter}
            placeholder={t('auditTrail.filter.placeholder')}
          />
        </div>
        <TimeRangePicker value={range} onChange={onRange} choices={choices} />
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
