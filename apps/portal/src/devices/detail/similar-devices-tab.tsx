import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import {
  MIN_SIMILAR_DEVICES,
  type SimilarDevice,
  type SimilarDevicesComparison,
  type SimilarDeviceDifference,
} from '@deviceportal/contract/similar-devices';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import type { MessageKey } from '../../i18n/message-key.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import type { DeviceTabProps } from './device-tab-props.ts';

/** Differences from healthy devices of the same model, the most significant first. */
export function SimilarDevicesTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.similarDevices.compare.queryOptions({ deviceId: device.id }));
  const columns = useSimilarDeviceColumns(query.data?.finding != null);
  return (
    <DataTable
      id="similar-devices"
      label={t('devices.similar.title')}
      header={
        <Header variant="h2" description={<About comparison={query.data} />}>
          {t('devices.similar.title')}
        </Header>
      }
      variant="container"
      columns={columns}
      rows={query.data?.differences}
      rowKey={({ kind, name }) => `${kind} ${name}`}
      query={query}
      empty={useEmptyWords(query.data)}
      footer={query.data === undefined ? null : <ComparedDevices comparison={query.data} />}
      withoutSettings
      wrapLines
    />
  );
}

/** Links to compared devices. */
function ComparedDevices({
  comparison: { more, healthy, healthyDevices, finding },
}: {
  readonly comparison: SimilarDevicesComparison;
}): ReactNode {
  const t = useT();
  return (
    <Box color="text-body-secondary">
      {more === 0 ? null : <div>{t('devices.similar.more', { count: more })}</div>}
      <DeviceLinks
        label={t('devices.similar.comparedWith')}
        devices={healthyDevices}
        total={healthy}
      />
      {finding === null ? null : (
        <DeviceLinks
          label={t('devices.similar.sameFinding')}
          devices={finding.shown}
          total={finding.devices}
        />
      )}
    </Box>
  );
}

interface DeviceLinksProps {
  readonly label: string;
  readonly devices: readonly SimilarDevice[];
  readonly total: number;
}

function DeviceLinks({ label, devices, total }: DeviceLinksProps): ReactNode {
  const t = useT();
  if (devices.length === 0) return null;
  const others = total - devices.length;
  return (
    <div className="dp-device-line">
      <span>{label}</span>
      {devices.map(({ id, name, serialNumber }) => (
        <PortalLink key={id} href={`/devices/${id}`} fontSize="inherit">
          {serialNumber ?? name}
        </PortalLink>
      ))}
      {others > 0 ? <span>{t('devices.similar.others', { count: others })}</span> : null}
    </div>
  );
}

function About({
  comparison,
}: {
  readonly comparison: SimilarDevicesComparison | undefined;
}): ReactNode {
  const t = useT();
  if (comparison === undefined || comparison.healthy < MIN_SIMILAR_DEVICES) return null;
  const { model, healthy, finding } = comparison;
  const about = t('devices.similar.about', { healthy, model: model ?? '' });
  if (finding === null) return about;
  const name = t(`devices.finding.${finding.rule}`);
  return `${about} ${t('devices.similar.finding', { finding: name, devices: finding.devices })}`;
}

function useEmptyWords(comparison: SimilarDevicesComparison | undefined) {
  const t = useT();
  if (comparison !== undefined && comparison.healthy < MIN_SIMILAR_DEVICES) {
    const { healthy, model } = comparison;
    return {
      title: t('devices.similar.tooFew'),
      body:
        model === null
          ? t('devices.similar.noModel')
          : t('devices.similar.tooFewBody', { healthy, needed: MIN_SIMILAR_DEVICES }),
    };
  }
  return { title: t('devices.similar.empty'), body: t('devices.similar.emptyBody') };
}

function useSimilarDeviceColumns(
  withFinding: boolean,
): readonly TableColumn<SimilarDeviceDifference>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(() => {
    const valueWords = ({ kind }: SimilarDeviceDifference, value: string | null): string => {
      if (value === null) return t('devices.similar.none');
      if (kind === 'country') return format.country(value);
      return kind === 'disk' || kind === 'memory'
        ? t(`devices.similar.fill.${value}` as MessageKey)
        : value;
    };
    const faulty: TableColumn<SimilarDeviceDifference> = {
      id: 'faulty',
      header: t('devices.similar.faulty'),
      cell: ({ faultyShare }) =>
        faultyShare === null ? (
          '-'
        ) : (
          <ShareBar share={faultyShare} words={format.percent(faultyShare)} />
        ),
    };
    return [
      {
        id: 'what',
        header: t('devices.similar.what'),
        cell: ({ kind, name }) => t(`devices.similar.kind.${kind}`, { name }),
        rowHeader: true,
      },
      {
        id: 'own',
        header: t('devices.similar.own'),
        cell: (difference) => <b>{valueWords(difference, difference.own)}</b>,
      },
      {
        id: 'usual',
        header: t('devices.similar.usual'),
        cell: (difference) => {
          const share = format.percent(difference.usualShare);
          const value = valueWords(difference, difference.usual);
          const words =
            difference.usual === null
              ? t('devices.similar.hasNot', { share })
              : t('devices.similar.has', { value, share });
          return <ShareBar share={difference.usualShare} words={words} />;
        },
      },
      {
        id: 'same',
        header: t('devices.similar.same'),
        cell: ({ sameShare }) => <ShareBar share={sameShare} words={format.percent(sameShare)} />,
      },
      ...(withFinding ? [faulty] : []),
      {
        id: 'since',
        header: t('devices.similar.since'),
        cell: ({ since, changedBeforeFinding }) => (
          <>
            <Time at={since} />{' '}
            {changedBeforeFinding ? (
              <Badge color="severity-high">{t('devices.similar.before')}</Badge>
            ) : null}
          </>
        ),
      },
    ];
  }, [t, format, withFinding]);
}
