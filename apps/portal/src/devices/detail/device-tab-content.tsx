import Spinner from '@cloudscape-design/components/spinner';
import { Suspense, lazy, type ComponentType, type ReactNode } from 'react';
import type { DeviceView } from '../device-search.ts';
import { OverviewTab } from './overview-tab.tsx';
import type { DeviceTabProps } from './device-tab-props.ts';

/** The first view is loaded with the page, the others when they are opened. */
const views: Readonly<Record<DeviceView, ComponentType<DeviceTabProps>>> = {
  overview: OverviewTab,
  metrics: lazy(async () => ({
    default: (await import('../../metrics/metrics-tab.tsx')).MetricsTab,
  })),
  commands: lazy(async () => ({ default: (await import('./commands-tab.tsx')).CommandsTab })),
  versions: lazy(async () => ({ default: (await import('./versions-tab.tsx')).VersionsTab })),
  events: lazy(async () => ({ default: (await import('./events-tab.tsx')).EventsTab })),
  location: lazy(async () => ({ default: (await import('./location-tab.tsx')).LocationTab })),
  instances: lazy(async () => ({ default: (await import('./instances-tab.tsx')).InstancesTab })),
  similar: lazy(async () => ({
    default: (await import('./similar-devices-tab.tsx')).SimilarDevicesTab,
  })),
  past: lazy(async () => ({ default: (await import('./history-tab.tsx')).HistoryTab })),
  notes: lazy(async () => ({ default: (await import('./notes-tab.tsx')).NotesTab })),
  terminals: lazy(async () => ({
    default: (await import('../../terminals/terminals-tab.tsx')).TerminalsTab,
  })),
  files: lazy(async () => ({
    default: (await import('../../device-files/files-tab.tsx')).FilesTab,
  })),
  webPages: lazy(async () => ({
    default: (await import('../../web-pages/web-pages-tab.tsx')).WebPagesTab,
  })),
  raw: lazy(async () => ({ default: (await import('./raw-tab.tsx')).RawTab })),
};

export function DeviceTabContent({
  view,
  device,
}: DeviceTabProps & { readonly view: DeviceView }): ReactNode {
  const Content = views[view];
  return (
    <Suspense fallback={<Spinner />}>
      <Content device={device} />
    </Suspense>
  );
}
