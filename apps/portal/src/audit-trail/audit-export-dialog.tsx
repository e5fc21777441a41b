import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AuditExport } from '@deviceportal/contract/audit-trail';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { downloadFrom } from '../ui/download-from.ts';
import { KeyValue } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';

/** A finished export with its manifest and signed links to its files. */
export function AuditExportDialog({
  made,
  onClose,
}: {
  readonly made: AuditExport;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <Modal
      visible
      size="medium"
      header={t('auditTrail.export.title')}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={() => downloadFrom(made.manifestUrl)}>
              {t('auditTrail.export.manifest')}
            </Button>
            <Button onClick={() => downloadFrom(made.proofUrl, made.proofName)}>
              {t('auditTrail.export.proof')}
            </Button>
            <Button
              variant="primary"
              iconName="download"
              onClick={() => downloadFrom(made.downloadUrl, made.fileName)}
            >
              {t('auditTrail.export.download')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box variant="p">{t('auditTrail.export.body')}</Box>
        <KeyValue
          columns={2}
          items={[
            { label: t('auditTrail.export.count'), value: format.number(made.count) },
            { label: t('auditTrail.export.file'), value: made.fileName },
            {
              label: t('auditTrail.export.createdAt'),
              value: <Time at={made.createdAt} style="utc" />,
            },
            { label: t('auditTrail.export.createdBy'), value: made.createdBy },
          ]}
        />
        <KeyValue
          columns={1}
          items={[
            {
              label: t('auditTrail.export.sha256'),
              value: <CopyableId value={made.sha256} name={t('auditTrail.export.sha256')} />,
            },
          ]}
        />
        <Box color="text-body-secondary">{t('auditTrail.export.expires')}</Box>
      </SpaceBetween>
    </Modal>
  );
}
