import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { SimilarDeviceSelect } from './similar-device-select.tsx';

export interface ComparisonChoice {
  readonly model: boolean;
  /** Serial number or ID of another device; empty for none. */
  readonly with: string;
}

interface ComparisonControlsProps {
  readonly deviceId: string;
  readonly choice: ComparisonChoice;
  readonly onChange: (choice: Partial<ComparisonChoice>) => void;
}

/** Chooses what the metrics are compared with. */
export function ComparisonControls({
  deviceId,
  choice,
  onChange,
}: ComparisonControlsProps): ReactNode {
  const t = useT();
  return (
    <SpaceBetween direction="horizontal" size="m" alignItems="center">
      <Toggle checked={choice.model} onChange={({ detail }) => onChange({ model: detail.checked })}>
        {t('metrics.model.compare')}
      </Toggle>
      <SimilarDeviceSelect
        deviceId={deviceId}
        value={choice.with}
        onChange={(reference) => onChange({ with: reference })}
      />
    </SpaceBetween>
  );
}
