import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { navigateTo } from '../../ui/navigate-to.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBreadcrumbs } from '../../ui/page-slots.tsx';
import { useLeaveConfirmation } from '../../ui/use-leave-confirmation.tsx';
import { ContentEditor } from './content-editor.tsx';
import { DOCUMENT_NAME, emptyDraft, nameIssueOf, type DocumentDraft } from './document-draft.ts';
import { NewDocumentFields } from './new-document-fields.tsx';
import { PhasesEditor } from './phases-editor.tsx';
import { TestSection } from '../review/test-section.tsx';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { useDocumentValidation } from './use-document-validation.ts';

/** Creates a document with its first version. */
export function NewDocument({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const t = useT();
  const [draft, setDraft] = useState(emptyDraft);
  const leave = useLeaveConfirmation(draft !== emptyDraft);
  const [pressed, setPressed] = useState(false);
  const validation = useDocumentValidation(draft.content, draft.phasesText);
  useBreadcrumbs([
    { text: t('app.nav.documents'), href: '/documents' },
    { text: t('documents.new.title'), href: '/documents?create=true' },
  ]);
  const create = useCreateDocument(leave.saved);
  const change = (part: Partial<DocumentDraft>): void => setDraft((old) => ({ ...old, ...part }));
  const submit = (): void => {
    setPressed(true);
    if (!DOCUMENT_NAME.test(draft.name) || create.isPending) return;
    create.mutate({ ...draft, secretParameters: [...draft.secretParameters] });
  };
  return (
    <Form
      header={
        <PageHeader title={t('documents.new.title')} description={t('documents.new.description')} />
      }
      actions={
        <NewDocumentActions
          busy={create.isPending}
          disabled={validation.result?.valid === false}
          onCreate={submit}
          onCancel={onCancel}
        />
      }
    >
      <SpaceBetween size="l">
        <Container>
          <NewDocumentFields
            draft={draft}
            parameters={Object.keys(validation.result?.parameters ?? {})}
            nameIssue={nameIssueOf(draft.name, pressed ? create.error : undefined, pressed)}
            onChange={change}
          />
        </Container>
        <Container>
          <ContentEditor
            content={draft.content}
            validation={validation}
            onChange={(content) => change({ content })}
            onUpload={({ content, name, extra }) =>
              // Keeps a name that was typed.
              setDraft((old) => ({
                ...old,
                ...extra,
                content,
                name: old.name === '' ? name : old.name,
              }))
            }
          />
        </Container>
        <PhasesEditor
          text={draft.phasesText}
          validation={validation}
          onChange={(phasesText) => change({ phasesText })}
        />
        <TestSection
          name={draft.name}
          content={draft.content}
          phasesText={draft.phasesText}
          validation={validation}
        />
        {create.isError ? <CreateError error={create.error} /> : null}
        {leave.dialog}
      </SpaceBetween>
    </Form>
  );
}

function useCreateDocument(onCreated: () => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation(
    api.documents.create.mutationOptions({
      onSuccess: (document) => {
        onCreated();
        void queryClient.invalidateQueries(api.documents.pathFilter());
        navigateTo(`/documents/${document.name}`);
      },
    }),
  );
}

function CreateError({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  const { issues } = portalErrorOf(error);
  return (
    <SpaceBetween size="s">
      <ErrorView error={error} place="alert" />
      {issues.length === 0 ? null : (
        <ul>
          {issues.map((issue) => (
            <li key={issue.path.join('.')}>
              {issue.path.join(':')}: {issueText(issue, t)}
            </li>
          ))}
        </ul>
      )}
    </SpaceBetween>
  );
}

function NewDocumentActions({
  busy,
  disabled,
  onCreate,
  onCancel,
}: {
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly onCreate: () => void;
  readonly onCancel: () => void;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button variant="link" onClick={onCancel}>
        {t('app.cancel')}
      </Button>
      <Button
        variant="primary"
        loading={busy}
        disabled={disabled}
        disabledReason={t('documents.editor.fix')}
        onClick={onCreate}
      >
        {t('documents.new.create')}
      </Button>
    </SpaceBetween>
  );
}
