import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { ApprovalsTable } from './approvals-table.tsx';
import { SoftwareTable } from './software-table.tsx';

/** Registered versions of a component, and its approvals. */
export function SoftwareTables({ component }: { readonly component: string }): ReactNode {
  return (
    <SpaceBetween size="m">
      <ApprovalsTable component={component} />
      <SoftwareTable component={component} />
    </SpaceBetween>
  );
}
