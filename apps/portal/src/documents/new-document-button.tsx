import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** Disabled with the reason for viewers without the permission to manage documents. */
export function NewDocumentButton({ onClick }: { readonly onClick: () => void }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const allowed = may('documents:manage');
  return (
    <Button
      variant="primary"
      onClick={onClick}
      disabled={!allowed}
      {...(allowed
        ? {}
        : { disabledReason: t('app.needsPermission', { permission: 'documents:manage' }) })}
    >
      {t('documents.new.button')}
    </Button>
  );
}
