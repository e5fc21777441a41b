import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { InvocationArtefact } from '@deviceportal/contract/invocations';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { downloadFrom } from '../../ui/download-from.ts';

/** Files that a document collected on the device. */
export function ArtefactList({
  artefacts,
}: {
  readonly artefacts: readonly InvocationArtefact[];
}): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <Container header={<Header variant="h2">{t('commands.artefacts.title')}</Header>}>
      <SpaceBetween size="s">
        {artefacts.map((artefact) => (
          <div key={artefact.id} className="dp-command-chip">
            <Button
              iconName="download"
              disabled={artefact.digest === 'differs'}
              ariaLabel={t('commands.artefacts.download', { name: artefact.name })}
              onClick={() => downloadFrom(artefact.downloadUrl, artefact.name)}
            >
              {artefact.name}
            </Button>
            <span className="dp-number">{format.bytes(artefact.bytes)}</span>
            <Box variant="span" fontSize="body-s" color="text-body-secondary">
              SHA-256 <CopyableId value={artefact.sha256} name="SHA-256" />
            </Box>
            {artefact.digest === 'differs' ? (
              <StatusIndicator type="error">{t('commands.artefacts.differs')}</StatusIndicator>
            ) : null}
          </div>
        ))}
      </SpaceBetween>
    </Container>
  );
}
