import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import type { PickedPerson } from '../people/person-picker.tsx';
import { navigateTo } from '../ui/navigate-to.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { askAboutCase } from './case-dialog-store.ts';
import { useActiveCase } from './use-active-case.ts';

export interface OpenCaseButtonProps {
  readonly person: PickedPerson;
  readonly variant?: ButtonProps.Variant;
}

/**
 * Opens a case for this person, or links to the viewer’s active case for them. Absent without the
 * permission.
 */
export function OpenCaseButton({ person, variant = 'normal' }: OpenCaseButtonProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const active = useActiveCase();
  if (!may('cases:manage')) return null;
  if (active?.person.id === person.id) {
    return <Button onClick={() => navigateTo(`/cases/${active.id}`)}>{t('cases.showThis')}</Button>;
  }
  return (
    <Button variant={variant} onClick={() => askAboutCase({ kind: 'open', person })}>
      {t('cases.open.action')}
    </Button>
  );
}
