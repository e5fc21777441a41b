import Grid from '@cloudscape-design/components/grid';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { useRefresh } from '../ui/page-slots.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { ComponentTabs } from './component-tabs.tsx';
import { ComponentsTable } from './components-table.tsx';

const RegisterDialog = lazy(async () => ({
  default: (await import('./software-dialogs.tsx')).RegisterDialog,
}));

export interface ComponentsPaneProps {
  /** Empty for the most common component. */
  readonly chosen: string;
  readonly text: string;
  readonly tab: string;
  readonly onChange: (part: { readonly q?: string; readonly tab?: string }) => void;
}

/** Reported and registered components, and the details of the selected one. */
export function ComponentsPane({ chosen, text, tab, onChange }: ComponentsPaneProps): ReactNode {
  const api = useApi();
  const components = useQuery(api.versions.listComponents.queryOptions());
  const { refetch } = components;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const mayManage = useViewer().may('versions:manage');
  const isNarrow = useIsNarrow();
  const [registering, setRegistering] = useState(false);
  const shown = chosen === '' ? components.data?.[0]?.component : chosen;
  const list = (
    <ComponentsTable
      key="list"
      query={components}
      components={components.data}
      chosen={shown}
      text={text}
      onText={(q) => onChange({ q })}
      onRegister={mayManage ? () => setRegistering(true) : undefined}
    />
  );
  const details =
    shown === undefined ? (
      <div key="details" />
    ) : (
      <ComponentTabs
        key="details"
        component={shown}
        tab={tab}
        onTab={(to) => onChange({ tab: to })}
      />
    );
  const isEmpty = components.data?.length === 0;
  const columns = isNarrow || isEmpty ? [12, 12] : [3, 9];
  return (
    <>
      <Grid gridDefinition={columns.map((colspan) => ({ colspan }))}>
        {/* Scrolls to the details, which are below the list. */}
        {isNarrow && chosen !== '' ? [details, list] : [list, details]}
      </Grid>
      {registering ? (
        <Suspense fallback={null}>
          <RegisterDialog
            component=""
            onClose={() => setRegistering(false)}
            onRegistered={(component) => navigateTo(softwareOf(component))}
          />
        </Suspense>
      ) : null}
    </>
  );
}

const softwareOf = (component: string): string =>
  `/tavs?${new URLSearchParams({ component, tab: 'software' }).toString()}`;
