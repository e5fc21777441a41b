import Tabs from '@cloudscape-design/components/tabs';
import { lazy, Suspense, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { InstalledTable } from './installed-table.tsx';

const VersionMatrix = lazy(async () => ({
  default: (await import('./version-matrix.tsx')).VersionMatrix,
}));
const RestatingNote = lazy(async () => ({
  default: (await import('./restating-note.tsx')).RestatingNote,
}));
const SoftwareTables = lazy(async () => ({
  default: (await import('./software-tables.tsx')).SoftwareTables,
}));
const AdoptionChart = lazy(async () => ({
  default: (await import('./adoption-chart.tsx')).AdoptionChart,
}));

export interface ComponentTabsProps {
  readonly component: string;
  /** Empty for the first tab. */
  readonly tab: string;
  readonly onTab: (tab: string) => void;
}

/** The tabs of a component: installed versions, approvals, registered versions, and adoption. */
export function ComponentTabs({ component, tab, onTab }: ComponentTabsProps): ReactNode {
  const t = useT();
  const tabs = [
    { id: 'installed', content: <InstalledTable key={component} component={component} /> },
    {
      id: 'matrix',
      content: (
        <>
          <RestatingNote />
          <VersionMatrix component={component} />
        </>
      ),
    },
    { id: 'software', content: <SoftwareTables component={component} /> },
    { id: 'adoption', content: <AdoptionChart component={component} /> },
  ] as const;
  return (
    <Tabs
      activeTabId={tab === '' ? 'installed' : tab}
      onChange={({ detail }) => onTab(detail.activeTabId)}
      tabs={tabs.map(({ id, content }) => ({
        id,
        label: t(`versions.tab.${id}`),
        content: <Suspense fallback={null}>{content}</Suspense>,
      }))}
    />
  );
}
