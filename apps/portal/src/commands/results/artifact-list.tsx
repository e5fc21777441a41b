import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { InvocationArtifact } from '@deviceportal/contract/invocations';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { downloadFrom } from '../../ui/download-from.ts';

/** Files that a document collected on the device. */
export function ArtifactList({
  artifacts,
}: {
  readonly artifacts: readonly InvocationArtifact[];
}): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <Container header={<Header variant="h2">{t('commands.artifacts.title')}</Header>}>
      <SpaceBetween size="s">
        {artifacts.map((artifact) => (
          <div key={artifact.id} className="dp-command-chip">
            <Button
              iconName="download"
              disabled={artifact.digest === 'differs'}
              ariaLabel={t('commands.artifacts.download', { name: artifact.name })}
              onClick={() => downloadFrom(artifact.downloadUrl, artifact.name)}
            >
              {artifact.name}
            </Button>
            <span className="dp-number">{format.bytes(artifact.bytes)}</span>
            <Box variant="span" fontSize="body-s" color="text-body-secondary">
              SHA-256 <CopyableId value={artifact.sha256} name="SHA-256" />
            </Box>
            {artifact.digest === 'differs' ? (
              <StatusIndicator type="error">{t('commands.artifacts.differs')}</StatusIndicator>
            ) : null}
          </div>
        ))}
      </SpaceBetween>
    </Container>
  );
}
