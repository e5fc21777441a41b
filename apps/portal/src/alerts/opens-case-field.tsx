import FormField from '@cloudscape-design/components/form-field';
import Toggle from '@cloudscape-design/components/toggle';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import type { RulePartProps } from './rule-part-props.ts';

/** Whether an alert opens cases for the people who own its devices. */
export function OpensCaseField({ draft, issues, onChange }: RulePartProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const isAllowed = may('cases:manage');
  return (
    <FormField errorText={issues.get('opensCase')}>
      <Toggle
        checked={draft.opensCase}
        // It can always be turned off.
        disabled={!isAllowed && !draft.opensCase}
        description={
          isAllowed
            ? t('alerts.form.opensCaseHint')
            : t('app.needsPermission', { permission: 'cases:manage' })
        }
        onChange={({ detail }) => onChange({ opensCase: detail.checked })}
      >
        {t('alerts.form.opensCase')}
      </Toggle>
    </FormField>
  );
}
