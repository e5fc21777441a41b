import Button from '@cloudscape-design/components/button';
import ButtonDropdown, {
  type ButtonDropdownProps,
} from '@cloudscape-design/components/button-dropdown';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { commandHref } from '../commands/command-href.ts';
import { useCommandWords } from '../commands/use-command-words.ts';
import { ConsequenceBadge } from '../commands/consequence-badge.tsx';
import { useT, type Translate } from '../i18n/use-t.ts';
import { navigateTo } from '../shell/navigate-to.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { StatusOf } from '../shell/status-of.tsx';
import { useViewer, type ViewerRights } from '../shell/viewer-context.tsx';
import { useDocumentChanges } from './use-document-changes.tsx';

export interface DocumentHeaderProps {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
  readonly onVersion: (version: number) => void;
  readonly onEdit: () => void;
}

/** Name, state, consequence, and what can be done with the document. */
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
        documentTitle={`${document.name} · ${t('shell.nav.documents')}`}
        description={words.document(document)}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <ButtonDropdown
              items={menuItems({ document, shown, viewer, t })}
              onItemClick={({ detail }) => {
                if (detail.id === 'edit') onEdit();
                if (detail.id === 'default') changes.setDefault(shown.version);
                if (detail.id === 'activate') changes.activate();
                if (detail.id === 'deprecate') changes.askDeprecate();
                if (detail.id === 'audit') navigateTo('/audit-trail/device');
              }}
            >
              {t('documents.actions')}
            </ButtonDropdown>
            <Button
              variant="primary"
              onClick={run}
              disabled={document.state !== 'active'}
              {...(document.state === 'active' ? {} : { disabledReason: t('documents.notActive') })}
            >
              {t('documents.run')}
            </Button>
          </SpaceBetween>
        }
      />
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <StatusOf kind="document" value={document.state} />
        <ConsequenceBadge consequence={document.consequence} />
        <VersionSelect document={document} shown={shown} onVersion={onVersion} />
      </SpaceBetween>
      {changes.dialog}
    </>
  );
}

/** Its own command where the catalogue has one, else the command that runs any document. */
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
        description: version.note,
      }))}
      onChange={({ detail }) => onVersion(Number(detail.selectedOption.value))}
    />
  );
}

interface MenuContext {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
  readonly viewer: ViewerRights;
  readonly t: Translate;
}

function menuItems({ document, shown, viewer, t }: MenuContext): ButtonDropdownProps.Items {
  const needs = (
    permission: 'documents:manage' | 'documents:approve',
  ): { readonly disabled: true; readonly disabledReason: string } | undefined =>
    viewer.may(permission)
      ? undefined
      : { disabled: true, disabledReason: t('shell.needsPermission', { permission }) };
  const unless = (fits: boolean, reason: string) =>
    fits ? {} : { disabled: true, disabledReason: reason };
  return [
    {
      id: 'edit',
      text: t('documents.edit.action'),
      ...(needs('documents:manage') ??
        unless(document.state !== 'deprecated', t('documents.deprecated'))),
    },
    {
      id: 'default',
      text: t('documents.setDefault.action', { version: shown.version }),
      ...(needs('documents:manage') ?? unless(!shown.isDefault, t('documents.setDefault.already'))),
    },
    {
      id: 'activate',
      text: t('documents.activate.action'),
      ...(needs('documents:approve') ??
        unless(
          document.state === 'draft' || document.state === 'review',
          t('documents.activate.notNow'),
        )),
    },
    {
      id: 'deprecate',
      text: t('documents.deprecate.action'),
      ...(needs('documents:manage') ??
        unless(document.state !== 'deprecated', t('documents.deprecated'))),
    },
    { id: 'audit', text: t('commands.result.auditTrail') },
  ];
}
