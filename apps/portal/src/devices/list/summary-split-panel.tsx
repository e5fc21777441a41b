import SplitPanel from '@cloudscape-design/components/split-panel';
import type { ReactNode } from 'react';
import { DeviceSummary } from './device-summary.tsx';

/** The panel with its content, loaded with the first device that someone looks at beside the list. */
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
