import Badge from '@cloudscape-design/components/badge';
import type { ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useFormat } from '../../i18n/format-values.ts';
import type { MessageKey } from '../../i18n/message-key.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { Time } from '../../ui/time/time.tsx';
import { DeviceStatusView } from '../device-status.tsx';
import { verdictWords } from '../verdict-words.ts';
import { comparisonRows, type ComparisonRow } from './comparison-rows.ts';
import './compare.css';

export interface ComparisonTableProps {
  readonly devices: readonly DeviceDetail[];
  readonly onlyDifferent: boolean;
}

/** A row for each attribute. Differences are marked by text, not only by color. */
export function ComparisonTable({ devices, onlyDifferent }: ComparisonTableProps): ReactNode {
  const t = useT();
  const rows = comparisonRows(devices).filter(({ differs }) => differs || !onlyDifferent);
  const name = useFactName();
  return (
    // A table wider than the screen scrolls in its own container, also with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="dp-compare" role="region" aria-label={t('devices.compare.table')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('devices.compare.fact')}</th>
            {devices.map((device) => (
              <th key={device.id} scope="col">
                <PortalLink href={`/devices/${device.id}`}>
                  {device.serialNumber ?? device.name}
                </PortalLink>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={row.differs ? 'dp-compare-differs' : ''}>
              <th scope="row">
                {name(row)}{' '}
                {row.differs ? <Badge color="blue">{t('devices.compare.differs')}</Badge> : null}
              </th>
              {devices.map((device, index) => (
                <td key={device.id}>
                  <FactValue row={row} device={device} value={row.values[index] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p>{t('devices.compare.same')}</p> : null}
    </div>
  );
}

const factNames: Readonly<Record<string, MessageKey>> = {
  connectivity: 'devices.column.status',
  verdict: 'devices.compare.verdict',
  uptime: 'devices.overview.uptime',
  disk: 'devices.overview.disk',
  memory: 'devices.overview.memory',
};

const COMPONENT = 'component:';

function useFactName(): (row: ComparisonRow) => string {
  const t = useT();
  return ({ id }) => {
    if (id.startsWith(COMPONENT)) return id.slice(COMPONENT.length);
    return t(factNames[id] ?? (`devices.column.${id}` as MessageKey));
  };
}

interface FactValueProps {
  readonly row: ComparisonRow;
  readonly device: DeviceDetail;
  readonly value: string | number | null;
}

function FactValue({ row, device, value }: FactValueProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  if (value === null) return '-';
  const verdict = device.verdicts[0];
  switch (row.id) {
    case 'connectivity':
      return <DeviceStatusView status={device} />;
    case 'lifecycle':
      return <StatusOf kind="deviceLifecycle" value={device.lifecycle} />;
    case 'lastSeen':
      return <Time at={device.lastSeenAt} />;
    case 'country':
      return format.country(String(value));
    case 'uptime':
      return format.duration(Number(value) * 1_000);
    case 'disk':
    case 'memory':
      return format.percent(Number(value) / 100);
    case 'verdict':
      return verdict === undefined ? '-' : verdictWords(verdict, { t, format, language }).title;
    default:
      return value;
  }
}
