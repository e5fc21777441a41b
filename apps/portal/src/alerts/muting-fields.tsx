import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { MaintenanceFields } from './maintenance-fields.tsx';
import type { RulePartProps } from './rule-part-props.ts';

/** When devices do not count, and when the rule does not fire. */
export function MutingFields(props: RulePartProps): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <Toggle
        checked={props.draft.excludesChanging}
        description={t('alerts.form.excludesChangingHint')}
        onChange={({ detail }) => props.onChange({ excludesChanging: detail.checked })}
      >
        {t('alerts.form.excludesChanging')}
      </Toggle>
      <MaintenanceFields {...props} />
    </SpaceBetween>
  );
}
