import SplitPanel from '@cloudscape-design/components/split-panel';
import type { ReactNode } from 'react';
import { DeviceSummary } from './device-summary.tsx';

/** The split panel, loaded when a device is first selected. */
export function SummarySplitPanel({
  deviceId,
  title,
}: {
  readonly deviceId: string;
  readonly title: string;
}): ReactNode {
  return (
    <SplitPanel header={title} closeBehavior="hide">
      <DeviceSummary key={deviceId} deviceId={deviceId} />
    </SplitPanel>
  );
}
