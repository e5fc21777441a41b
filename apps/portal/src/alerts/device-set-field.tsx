import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useDeviceFilterProperties } from '../devices/list/filter/use-device-filter-properties.ts';
import { TargetListNote } from '../devices/list/target-list-note.tsx';
import { useT } from '../i18n/use-t.ts';
import { PropertyFilterBar } from '../ui/property-filter-bar.tsx';
import type { RuleDraft } from './rule-draft.ts';

/** The devices of a rule, as the filter of the device list. */
export function DeviceSetField({
  draft: { query, targets },
  onChange,
}: {
  readonly draft: RuleDraft;
  readonly onChange: (part: Partial<RuleDraft>) => void;
}): ReactNode {
  const t = useT();
  const properties = useDeviceFilterProperties(query);
  return (
    <FormField label={t('alerts.form.devices')} description={t('alerts.form.devicesHint')} stretch>
      <SpaceBetween size="xs">
        <PropertyFilterBar
          properties={properties}
          query={query}
          placeholder={t('alerts.form.allDevices')}
          onChange={(changed) => onChange({ query: changed })}
        />
        {targets === '' ? null : (
          <TargetListNote id={targets} onClear={() => onChange({ targets: '' })} />
        )}
      </SpaceBetween>
    </FormField>
  );
}
