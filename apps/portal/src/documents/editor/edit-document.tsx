import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useLeaveConfirmation } from '../../ui/use-leave-confirmation.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { ExtraFields, type ExtraProperties } from './extra-fields.tsx';
import { ContentEditor } from './content-editor.tsx';
import { DiffView } from '../review/diff-view.tsx';
import { PhasesEditor } from './phases-editor.tsx';
import { TestSection } from '../review/test-section.tsx';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { useDocumentValidation } from './use-document-validation.ts';

export interface EditDocumentProps {
  readonly document: DocumentDetail;
  /** The version that the text starts from. */
  readonly base: DocumentVersionDetail;
  /** Receives the number of the saved version. Without one, editing was canceled. */
  readonly onDone: (version?: number) => void;
}

/** Saves a changed text or consequence as a new draft version. Earlier versions stay unchanged. */
export function EditDocument(props: EditDocumentProps): ReactNode {
  const { may } = useViewer();
  const t = useT();
  if (!may('documents:manage')) {
    return <NoAccess area={t('documents.edit.area')} permission="documents:manage" />;
  }
  return <Editor {...props} />;
}

function Editor({ document, base, onDone }: EditDocumentProps): ReactNode {
  const t = useT();
  const edit = useEdit({ document, base, onDone });
  const { validation, conflict } = edit;
  return (
    <Form
      header={
        <PageHeader
          title={t('documents.edit.title', { name: document.name })}
          description={t('documents.edit.basedOn', { version: edit.basedOn })}
        />
      }
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={() => onDone()}>
            {t('app.cancel')}
          </Button>
          <Button
            variant="primary"
            loading={edit.saving}
            disabled={validation.result?.valid === false || edit.unchanged}
            disabledReason={t(edit.unchanged ? 'documents.edit.unchanged' : 'documents.editor.fix')}
            onClick={edit.save}
          >
            {t('documents.edit.save')}
          </Button>
        </SpaceBetween>
      }
    >
      <SpaceBetween size="l">
        {conflict === null ? null : (
          <Conflict conflict={conflict} edit={edit} name={document.name} />
        )}
        <Container>
          <ContentEditor
            content={edit.content}
            validation={validation}
            onChange={edit.setContent}
            onUpload={(file) => {
              edit.setContent(file.content);
              if (file.extra !== null) edit.changeExtra(file.extra);
            }}
          />
        </Container>
        <PhasesEditor
          text={edit.extra.phasesText}
          validation={validation}
          onChange={(phasesText) => edit.changeExtra({ phasesText })}
        />
        <TestSection
          name={document.name}
          content={edit.content}
          phasesText={edit.extra.phasesText}
          validation={validation}
        />
        <Container>
          <SpaceBetween size="m">
            <ExtraFields
              value={edit.extra}
              parameters={Object.keys(validation.result?.parameters ?? base.parameters)}
              onChange={edit.changeExtra}
            />
            <FormField
              label={t('documents.edit.note')}
              description={t('documents.edit.noteHint')}
              stretch
            >
              <Input
                value={edit.note}
                onChange={({ detail }) => edit.setNote(detail.value.slice(0, 500))}
              />
            </FormField>
          </SpaceBetween>
        </Container>
        <EditError error={conflict === null ? edit.error : null} />
        {edit.leave.dialog}
      </SpaceBetween>
    </Form>
  );
}

function EditError({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  if (error === null || error === undefined) return null;
  const { issues } = portalErrorOf(error);
  return (
    <SpaceBetween size="xs">
      <ErrorView error={error} place="alert" />
      <ul>
        {issues.map((issue) => (
          <li key={`${issue.path.join('.')}${issue.message}`}>
            {issue.path.join(':')}: {issueText(issue, t)}
          </li>
        ))}
      </ul>
    </SpaceBetween>
  );
}

interface NewerVersion {
  readonly latestVersion: number;
  readonly createdBy: string;
}

type Edit = ReturnType<typeof useEdit>;

function useEdit({ document, base, onDone }: EditDocumentProps) {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  const [content, setContent] = useState(base.content);
  const [note, setNote] = useState('');
  const [extra, setExtra] = useState<ExtraProperties>(base);
  // The latest version when editing started, to detect concurrent changes.
  const [basedOn, setBasedOn] = useState(document.latestVersion);
  const validation = useDocumentValidation(content, extra.phasesText);
  const unchanged = content === base.content && sameExtra(extra, base);
  const leave = useLeaveConfirmation(!unchanged || note !== '');
  const mutation = useMutation(
    api.documents.addVersion.mutationOptions({
      onSuccess: (changed) => {
        leave.saved();
        void queryClient.invalidateQueries(api.documents.pathFilter());
        void queryClient.invalidateQueries(api.commands.getForm.pathFilter());
        flash.add({
          type: 'success',
          content: t('documents.edit.done', { version: changed.latestVersion }),
          dismissible: true,
        });
        onDone(changed.latestVersion);
      },
    }),
  );
  return {
    content,
    setContent,
    note,
    setNote,
    extra,
    changeExtra: (part: Partial<ExtraProperties>) => setExtra((old) => ({ ...old, ...part })),
    unchanged,
    leave,
    basedOn,
    rebase: (version: number) => {
      setBasedOn(version);
      mutation.reset();
    },
    validation,
    saving: mutation.isPending,
    error: mutation.error,
    conflict: conflictOf(mutation.error),
    save: () => {
      if (mutation.isPending) return;
      mutation.mutate({
        name: document.name,
        basedOn,
        content,
        note,
        consequence: extra.consequence,
        secretParameters: [...extra.secretParameters],
        phasesText: extra.phasesText,
      });
    },
  };
}

function sameExtra(one: ExtraProperties, other: ExtraProperties): boolean {
  return (
    one.consequence === other.consequence &&
    one.phasesText === other.phasesText &&
    one.secretParameters.toSorted().join() === other.secretParameters.toSorted().join()
  );
}

function conflictOf(error: unknown): NewerVersion | null {
  if (error === null || error === undefined) return null;
  const { issues, facts } = portalErrorOf(error);
  const latestVersion = facts['latestVersion'];
  if (!issues.some((issue) => issue.path[0] === 'basedOn') || typeof latestVersion !== 'number') {
    return null;
  }
  return { latestVersion, createdBy: String(facts['createdBy'] ?? '-') };
}

/** A concurrent change by another user: shows their text next to the user’s own, which is kept. */
function Conflict({
  conflict,
  edit,
  name,
}: {
  readonly conflict: NewerVersion;
  readonly edit: Edit;
  readonly name: string;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const theirs = useQuery(
    api.documents.getVersion.queryOptions({ name, version: conflict.latestVersion }),
  );
  return (
    <SpaceBetween size="s">
      <Alert
        type="warning"
        header={t('documents.conflict.title', {
          version: conflict.latestVersion,
          by: conflict.createdBy,
        })}
        action={
          <Button onClick={() => edit.rebase(conflict.latestVersion)}>
            {t('documents.conflict.goOn', { version: conflict.latestVersion })}
          </Button>
        }
      >
        {t('documents.conflict.body')}
      </Alert>
      {theirs.data === undefined ? null : (
        <DiffView
          before={theirs.data}
          after={{ version: conflict.latestVersion + 1, content: edit.content }}
        />
      )}
    </SpaceBetween>
  );
}
