import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { portalErrorOf } from '../api/portal-error-of.ts';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { useFlash } from '../shell/flash-store.ts';
import { NoAccess } from '../shell/no-access.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { useViewer } from '../shell/viewer-context.tsx';
import { ContentEditor } from './content-editor.tsx';
import { DiffView } from './diff-view.tsx';
import { useDocumentValidation } from './use-document-validation.ts';

export interface EditDocumentProps {
  readonly document: DocumentDetail;
  /** The version that the text starts from. */
  readonly base: DocumentVersionDetail;
  readonly onDone: () => void;
}

/** A changed text becomes the next version; earlier ones stay as they are. */
export function EditDocument(props: EditDocumentProps): ReactNode {
  const { may } = useViewer();
  const t = useT();
  if (!may('documents:manage')) {
    return <NoAccess area={t('documents.edit.action')} permission="documents:manage" />;
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
          <Button variant="link" onClick={onDone}>
            {t('shell.cancel')}
          </Button>
          <Button
            variant="primary"
            loading={edit.saving}
            disabled={validation.result?.valid === false || edit.content === base.content}
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
          />
        </Container>
        <Container>
          <SpaceBetween size="m">
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
            <Checkbox
              checked={edit.makeDefault}
              onChange={({ detail }) => edit.setMakeDefault(detail.checked)}
            >
              {t('documents.edit.makeDefault')}
            </Checkbox>
          </SpaceBetween>
        </Container>
        <EditError error={conflict === null ? edit.error : null} />
      </SpaceBetween>
    </Form>
  );
}

function EditError({ error }: { readonly error: unknown }): ReactNode {
  if (error === null || error === undefined) return null;
  const { issues } = portalErrorOf(error);
  return (
    <SpaceBetween size="xs">
      <ErrorView error={error} place="alert" />
      <ul>
        {issues.map((issue) => (
          <li key={`${issue.path.join('.')}${issue.message}`}>
            {issue.path.join(':')}: {issue.message}
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
  const [makeDefault, setMakeDefault] = useState(true);
  // Of the moment in which editing began: what comes in between must be noticed.
  const [basedOn, setBasedOn] = useState(document.latestVersion);
  const validation = useDocumentValidation(content);
  const mutation = useMutation(
    api.documents.addVersion.mutationOptions({
      onSuccess: (changed) => {
        void queryClient.invalidateQueries(api.documents.pathFilter());
        void queryClient.invalidateQueries(api.commands.getForm.pathFilter());
        flash.add({
          type: 'success',
          content: t('documents.edit.done', { version: changed.latestVersion }),
          dismissible: true,
        });
        onDone();
      },
    }),
  );
  return {
    content,
    setContent,
    note,
    setNote,
    makeDefault,
    setMakeDefault,
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
      mutation.mutate({ name: document.name, basedOn, content, note, makeDefault });
    },
  };
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

/** Somebody was faster: their text beside one's own, which stays as it was typed. */
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
