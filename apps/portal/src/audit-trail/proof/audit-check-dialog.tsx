import Header from '@cloudscape-design/components/header';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AuditFilter } from '@deviceportal/contract/audit-trail';
import { useT } from '../../i18n/use-t.ts';
import { ChainCheckSection } from './chain-check-section.tsx';
import { FileCheckSection } from './file-check-section.tsx';

export interface AuditCheckDialogProps {
  readonly range: AuditFilter['range'];
  readonly onClose: () => void;
}

/** Verifies the audit trail or an export of it. */
export function AuditCheckDialog({ range, onClose }: AuditCheckDialogProps): ReactNode {
  const t = useT();
  return (
    <Modal
      visible
      size="large"
      header={t('auditTrail.proof.title')}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
    >
      <SpaceBetween size="l">
        <SpaceBetween size="xs">
          <Header variant="h3">{t('auditTrail.proof.chain')}</Header>
          <ChainCheckSection range={range} />
        </SpaceBetween>
        <SpaceBetween size="xs">
          <Header variant="h3">{t('auditTrail.proof.file')}</Header>
          <FileCheckSection />
        </SpaceBetween>
      </SpaceBetween>
    </Modal>
  );
}
