import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { ApprovalsTable } from './approvals-table.tsx';
import { SoftwareTable } from './software-table.tsx';

/** The versions of a component that are on record, and what is approved where. */
export function SoftwareTables({ component }: { readonly component: string }): ReactNode {
  return (
    <SpaceBetween size="m">
      <ApprovalsTable component={component} />
      <SoftwareTable component={component} />
    </SpaceBetween>
  );
}
