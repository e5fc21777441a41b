import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { documentState } from '@deviceportal/contract/states';
import { commandHref } from '../commands/command-href.ts';
import { useCommandWords } from '../commands/use-command-words.ts';
import { ConsequenceBadge } from '../commands/consequence-badge.tsx';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { documentActions } from './document-actions.ts';
import { useDocumentChanges } from './use-document-changes.tsx';
import { versionNote } from './version-note.ts';

export interface DocumentHeaderProps {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
  readonly onVersion: (version: number) => void;
  readonly onEdit: () => void;
}

/** The name, state, consequence, and actions of the version on screen. */
export function DocumentHeader({
  document,
  shown,
  onVersion,
  onEdit,
}: DocumentHeaderProps): ReactNode {
  const t = useT();
  const viewer = useViewer();
  const words = useCommandWords();
  const changes = useDocumentChanges(document);
  const run = (): void => navigateTo(runHrefOf(document, shown));
  return (
    <>
      <PageHeader
        title={document.name}
        documentTitle={`${document.name} · ${t('app.nav.documents')}`}
        description={words.document(document)}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <ButtonDropdown
              items={documentActions({ document, shown, viewer, t })}
              onItemClick={({ detail }) => {
                if (detail.id === 'edit') onEdit();
                if (detail.id === 'default') changes.setDefault(shown.version);
                if (detail.id === 'send') changes.sendForReview(shown.version);
                if (detail.id === 'withdraw') changes.withdraw(shown.version);
                if (detail.id === 'deprecate-version') changes.deprecate(shown.version);
                if (detail.id === 'deprecate') changes.deprecate(null);
                if (detail.id === 'audit') navigateTo('/audit-trail/device');
              }}
            >
              {t('documents.actions')}
            </ButtonDropdown>
            {viewer.may('air-blast:run') && shown.state === 'active' ? (
              <Button
                onClick={() =>
                  navigateTo(`/air-blast?plan=1&document=${document.name}:${shown.version}`)
                }
              >
                {t('app.nav.airBlast')}
              </Button>
            ) : null}
            <Button
              variant="primary"
              onClick={run}
              disabled={shown.state !== 'active'}
              {...(shown.state === 'active'
                ? {}
                : { disabledReason: t(`documents.notRunnable.${shown.state}`) })}
            >
              {t('documents.run')}
            </Button>
          </SpaceBetween>
        }
      />
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <StatusOf kind="document" value={shown.state} />
        <ConsequenceBadge consequence={shown.consequence} />
        <VersionSelect document={document} shown={shown} onVersion={onVersion} />
      </SpaceBetween>
      {changes.dialog}
    </>
  );
}

/** The link to the catalog command of the document, or to the command that runs any document. */
function runHrefOf(document: DocumentDetail, shown: DocumentVersionDetail): string {
  const pinned = shown.isDefault ? document.name : `${document.name}:${shown.version}`;
  const own = document.commands[0];
  if (own === undefined) return commandHref('document', { document: pinned });
  return commandHref(own, shown.isDefault ? {} : { document: pinned });
}

function VersionSelect({
  document,
  shown,
  onVersion,
}: Omit<DocumentHeaderProps, 'onEdit'>): ReactNode {
  const t = useT();
  const language = useLanguage();
  const label = (version: number, isDefault: boolean): string =>
    t(isDefault ? 'documents.version.default' : 'documents.version.other', { version });
  return (
    <Select
      ariaLabel={t('documents.version.label')}
      selectedOption={{
        value: String(shown.version),
        label: label(shown.version, shown.isDefault),
      }}
      options={document.versions.map((version) => ({
        value: String(version.version),
        label: label(version.version, version.isDefault),
        description: versionNote(version.note, t),
        labelTag: documentState[version.state][language],
      }))}
      onChange={({ detail }) => onVersion(Number(detail.selectedOption.value))}
    />
  );
}
