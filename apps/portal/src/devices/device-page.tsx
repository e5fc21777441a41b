import SegmentedControl from '@cloudscape-design/components/segmented-control';
import Tabs from '@cloudscape-design/components/tabs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { terminalPermissions } from '@deviceportal/contract/terminals';
import { webPagePermissions } from '@deviceportal/contract/web-pages';
import { useApi } from '../api/use-api.ts';
import type { MessageKey } from '../i18n/message-key.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer, type ViewerRights } from '../session/viewer-context.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { useAddRecentItem } from '../ui/use-add-recent-item.ts';
import { DeviceTabContent } from './detail/device-tab-content.tsx';
import { DeviceHeader } from './detail/device-header.tsx';
import { DeviceNeighbors } from './detail/device-neighbors.tsx';
import { DeviceSkeleton } from './detail/device-skeleton.tsx';
import { MachineRequest } from './detail/machine-request.tsx';
import { useLiveDevice } from './detail/use-live-device.ts';
import { trailOf } from './device-trail.ts';
import { deviceTabs, tabOf, viewsOf, type DeviceTab, type DeviceView } from './device-search.ts';
import { DeviceVerdicts } from './device-verdicts.tsx';
import { refreshMs, whileNotLive } from '../live/refresh-policy.ts';
import './devices.css';

export const Route = createLazyRoute('/devices/$id')({ component: DevicePage });

const route = getRouteApi('/devices/$id');

function DevicePage(): ReactNode {
  const t = useT();
  const api = useApi();
  const { id: reference } = route.useParams();
  const query = useQuery(
    api.devices.get.queryOptions(
      { device: reference },
      { refetchInterval: whileNotLive(refreshMs.work) },
    ),
  );
  const device = query.data;
  const { refetch } = query;
  useLiveDevice(reference, device?.id);
  useIdInAddress(reference, device);
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const trail = trailOf(device?.id ?? reference);
  const label = device?.serialNumber ?? device?.name ?? reference;
  useAddRecentItem(device === undefined ? null : { kind: 'device', id: device.id, label });
  useBreadcrumbs([
    { text: t('devices.list.title'), href: trail?.href ?? '/devices' },
    { text: label, href: `/devices/${device?.id ?? reference}` },
  ]);
  if (device === undefined && query.isError) {
    return (
      <ErrorView
        error={query.error}
        subject={{ kind: t('devices.kind'), id: reference }}
        onRetry={() => void refetch()}
      />
    );
  }
  if (device === undefined) {
    return (
      <SpaceBetween size="m">
        {/* Neighbors are prefetched, so that moving along the list does not wait. */}
        <PageHeader
          title={trail?.stops.find(({ id }) => id === reference)?.label ?? reference}
          documentTitle={t('devices.list.title')}
          actions={<DeviceNeighbors deviceId={reference} />}
        />
        <DeviceSkeleton />
      </SpaceBetween>
    );
  }
  return (
    <SpaceBetween size="m">
      <DeviceHeader device={device} />
      {query.isError ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void refetch()} />
      ) : null}
      <MachineRequest deviceId={device.id} />
      <DeviceVerdicts device={device} />
      <DeviceTabs device={device} />
    </SpaceBetween>
  );
}

/**
 * Replaces a serial number in the address with the ID, which stays the same if the serial number
 * changes.
 */
function useIdInAddress(reference: string, device: DeviceDetail | undefined): void {
  const navigate = route.useNavigate();
  const id = device?.id;
  useEffect(() => {
    if (id === undefined || id === reference) return;
    void navigate({ params: { id }, search: (old) => old, replace: true });
  }, [id, reference, navigate]);
}

function DeviceTabs({ device }: { readonly device: DeviceDetail }): ReactNode {
  const t = useT();
  const { tab: view } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (tab: DeviceView): void =>
    void navigate({ search: (old) => ({ ...old, tab }), replace: true, resetScroll: false });
  return (
    <Tabs
      activeTabId={tabOf(view)}
      ariaLabel={t('devices.tabs')}
      onChange={({ detail }) => show(viewsOf(detail.activeTabId as DeviceTab)[0])}
      tabs={deviceTabs.map((id) => ({
        id,
        label: t(`devices.tab.${id}`),
        content:
          tabOf(view) === id ? (
            <SpaceBetween size="m">
              <ViewChoice tab={id} view={view} onChange={show} />
              <DeviceTabContent view={view} device={device} />
            </SpaceBetween>
          ) : null,
      }))}
    />
  );
}

/** Whether the user may see a view that needs one of some permissions. */
function maySee(view: DeviceView, may: ViewerRights['may']): boolean {
  if (view === 'terminals') return terminalPermissions.some((permission) => may(permission));
  if (view === 'webPages') return webPagePermissions.some((permission) => may(permission));
  return view !== 'files' || may('files:read');
}

interface ViewChoiceProps {
  readonly tab: DeviceTab;
  readonly view: DeviceView;
  readonly onChange: (view: DeviceView) => void;
}

/** The views of a tab; nothing if it has only one. */
function ViewChoice({ tab, view, onChange }: ViewChoiceProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const views = viewsOf(tab).filter((id) => maySee(id, may));
  if (views.length === 1) return null;
  return (
    <SegmentedControl
      label={t(`devices.tab.${tab}`)}
      selectedId={view}
      options={views.map((id) => ({ id, text: t(`devices.view.${id}` as MessageKey) }))}
      onChange={({ detail }) => onChange(detail.selectedId as DeviceView)}
    />
  );
}
