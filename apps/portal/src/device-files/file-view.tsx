import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useCallback, useState, type ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import type { ImageType } from './read-content.ts';
import { nameOf, shownName } from './shown-name.ts';
import { useFileContent, type FileContent, type ViewedPart } from './use-file-content.ts';
import './device-files.css';

interface FileViewProps {
  readonly deviceId: string;
  readonly reason: string;
  readonly path: string;
  readonly onClose: () => void;
}

/** The beginning or the end of a text, or an image. Never shown as a page. */
export function FileView({ onClose, ...asked }: FileViewProps): ReactNode {
  const t = useT();
  const [part, setPart] = useState<ViewedPart>('start');
  const { content, failure, error } = useFileContent({ ...asked, part });
  const name = shownName(nameOf(asked.path));
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={<Button onClick={onClose}>{t('app.close')}</Button>}
          description={
            <span className="dp-file-name">
              <CopyableId value={asked.path} name={t('deviceFiles.path')} />
            </span>
          }
        >
          <span className="dp-file-name">{name}</span>
        </Header>
      }
    >
      <SpaceBetween size="s">
        <SegmentedControl
          label={t('deviceFiles.part.label')}
          selectedId={part}
          options={(['start', 'end'] as const).map((id) => ({
            id,
            text: t(`deviceFiles.part.${id}`),
          }))}
          onChange={({ detail }) => setPart(detail.selectedId as ViewedPart)}
        />
        {error ? <ErrorView error={error} place="alert" /> : null}
        {failure === null ? null : (
          <Alert type="error">{t(`deviceFiles.failure.${failure}`)}</Alert>
        )}
        {content === undefined && failure === null && !error ? (
          <Box>
            <Spinner /> {t('deviceFiles.loading')}
          </Box>
        ) : null}
        {content === undefined ? null : <ShownContent content={content} name={name} />}
      </SpaceBetween>
    </Container>
  );
}

function ShownContent({
  content: { content, bytes, transfer },
  name,
}: {
  readonly content: FileContent;
  readonly name: string;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="s">
      <FactLine content={{ content, bytes, transfer }} />
      {content.kind === 'binary' ? (
        <Alert type="info">{t('deviceFiles.binary')}</Alert>
      ) : content.kind === 'image' ? (
        <Picture {...{ bytes, name, type: content.type }} />
      ) : (
        <pre className="dp-file-text" tabIndex={0} aria-label={name} role="region">
          {content.text}
        </pre>
      )}
    </SpaceBetween>
  );
}

/** Size, the part that is shown, encoding, and digest. */
function FactLine({ content: { content, bytes, transfer } }: { readonly content: FileContent }) {
  const t = useT();
  const format = useFormat();
  const { start, totalBytes, sha256 } = transfer;
  const total = totalBytes ?? bytes.length;
  return (
    <Box color="text-body-secondary">
      {bytes.length === total
        ? t('deviceFiles.facts.whole', { size: format.bytes(total) })
        : t('deviceFiles.facts.part', {
            from: format.bytes(start),
            to: format.bytes(start + bytes.length),
            size: format.bytes(total),
          })}
      {content.kind === 'text' ? ` · ${content.encoding}` : ''}
      {' · SHA-256 '}
      <CopyableId value={sha256} name="SHA-256" shown={`${(sha256 ?? '').slice(0, 12)}…`} />
    </Box>
  );
}

function Picture({
  bytes,
  name,
  type,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly type: ImageType;
}): ReactNode {
  const t = useT();
  const [isBroken, setBroken] = useState(false);
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(new Blob([bytes], { type }));
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [bytes, type],
  );
  if (isBroken) return <Alert type="warning">{t('deviceFiles.imageBroken')}</Alert>;
  return <img className="dp-file-image" ref={show} alt={name} onError={() => setBroken(true)} />;
}
