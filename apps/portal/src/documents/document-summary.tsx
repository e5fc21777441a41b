import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { storeReferencesIn } from '@deviceportal/contract/store-references';
import { commandHref } from '../commands/command-href.ts';
import { platformNames } from '../commands/platform-names.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';
import { versionNote } from './version-note.ts';

export interface DocumentSummaryProps {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
}

/** The description and key attributes of the version on screen. */
export function DocumentSummary({ document, shown }: DocumentSummaryProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { steps, phases, parameters } = shown;
  const references = storeReferencesIn([steps, phases, parameters]);
  const stored = [...new Set(references.map(({ name }) => name))];
  const labels = Object.entries(document.labels).map(([key, value]) => `${key}=${value}`);
  return (
    <SpaceBetween size="m">
      {document.state === 'deprecated' ? (
        <Alert type="warning">{t('documents.deprecated')}</Alert>
      ) : null}
      <Container>
        <SpaceBetween size="m">
          <div>
            {format.sentences([
              t(`commands.effect.${shown.consequence}`),
              t('documents.summary', {
                steps: shown.steps.length,
                parameters: Object.keys(shown.parameters).length,
              }),
            ])}
          </div>
          <KeyValue
            columns={4}
            items={[
              {
                label: t('documents.columns.commands'),
                value:
                  document.commands.length === 0 ? null : (
                    <SpaceBetween size="xxs">
                      {document.commands.map((command) => (
                        <PortalLink key={command} href={commandHref(command)}>
                          {command}
                        </PortalLink>
                      ))}
                    </SpaceBetween>
                  ),
              },
              {
                label: t('documents.columns.platforms'),
                value: format.list(platformNames(document.platforms)),
              },
              { label: t('documents.columns.format'), value: shown.format },
              {
                label: t('documents.columns.successRate'),
                value: document.successRate === null ? null : format.percent(document.successRate),
              },
              { label: t('documents.columns.lastUsed'), value: <Time at={document.lastUsedAt} /> },
              {
                label: t('documents.version.made'),
                value: (
                  <>
                    <Time at={shown.createdAt} style="absolute" /> · {shown.createdBy}
                  </>
                ),
              },
              ...(shown.secretParameters.length === 0
                ? []
                : [
                    {
                      label: t('documents.new.secrets'),
                      value: format.list([...shown.secretParameters]),
                    },
                  ]),
              ...(stored.length === 0
                ? []
                : [{ label: t('documents.storeParameters'), value: format.list(stored) }]),
              { label: t('documents.edit.note'), value: versionNote(shown.note, t) },
              { label: 'SHA-256', value: <CopyableId value={shown.sha256} name="SHA-256" /> },
              ...(labels.length === 0
                ? []
                : [{ label: t('documents.columns.labels'), value: labels.join(', ') }]),
            ]}
          />
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  );
}
