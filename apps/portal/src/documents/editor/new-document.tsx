import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
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
import { useLeaveQuestion } from '../../ui/use-leave-question.tsx';
import { BesideFields, type BesideText } from './beside-fields.tsx';
import { ContentEditor } from './content-editor.tsx';
import { PhasesEditor } from './phases-editor.tsx';
import { TrySection } from '../review/try-section.tsx';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { useDocumentValidation } from './use-document-validation.ts';

const NAME = /^[a-zA-Z0-9_.-]{3,128}$/;

const template = `schemaVersion: '2.2'
description: Say what it does.
parameters:
  path:
    type: String
    description: What to look at.
    default: /tmp
mainSteps:
  - action: aws:runShellScript
    name: look
    precondition:
      StringEquals:
        - platformType
        - Linux
    inputs:
      timeoutSeconds: '60'
      runCommand:
        - ls -la '{{ path }}'
`;

interface Draft extends BesideText {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly note: string;
}

const emptyDraft: Draft = {
  name: '',
  description: '',
  consequence: 'reads',
  secretParameters: [],
  phasesText: '',
  content: template,
  note: '',
};

/** A document's first version, and what stands beside its text. */
export function NewDocument({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const leave = useLeaveQuestion(draft !== emptyDraft);
  const [pressed, setPressed] = useState(false);
  const validation = useDocumentValidation(draft.content, draft.phasesText);
  useBreadcrumbs([
    { text: t('app.nav.documents'), href: '/documents' },
    { text: t('documents.new.title'), href: '/documents?create=true' },
  ]);
  const create = useMutation(
    api.documents.create.mutationOptions({
      onSuccess: (document) => {
        leave.saved();
        void queryClient.invalidateQueries(api.documents.pathFilter());
        navigateTo(`/documents/${document.name}`);
      },
    }),
  );
  const change = (part: Partial<Draft>): void => setDraft((old) => ({ ...old, ...part }));
  const submit = (): void => {
    setPressed(true);
    if (!NAME.test(draft.name) || create.isPending) return;
    create.mutate({ ...draft, secretParameters: [...draft.secretParameters] });
  };
  return (
    <Form
      header={
        <PageHeader title={t('documents.new.title')} description={t('documents.new.description')} />
      }
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onCancel}>
            {t('app.cancel')}
          </Button>
          <Button
            variant="primary"
            loading={create.isPending}
            disabled={validation.result?.valid === false}
            onClick={submit}
          >
            {t('documents.new.create')}
          </Button>
        </SpaceBetween>
      }
    >
      <SpaceBetween size="l">
        <Container>
          <DraftFields
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
            onUpload={({ content, name, beside }) =>
              // A name that was typed is kept.
              setDraft((old) => ({
                ...old,
                ...beside,
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
        <TrySection
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

function nameIssueOf(
  name: string,
  error: unknown,
  pressed: boolean,
): 'format' | 'taken' | undefined {
  if (error !== null && error !== undefined) {
    if (portalErrorOf(error).reason === 'document-name-taken') return 'taken';
  }
  return (pressed || name !== '') && !NAME.test(name) ? 'format' : undefined;
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

interface DraftFieldsProps {
  readonly draft: Draft;
  /** Of the text as it stands. */
  readonly parameters: readonly string[];
  readonly nameIssue: 'format' | 'taken' | undefined;
  readonly onChange: (part: Partial<Draft>) => void;
}

function DraftFields({ draft, parameters, nameIssue, onChange }: DraftFieldsProps): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('documents.columns.name')}
        constraintText={nameIssue === 'format' ? undefined : t('documents.new.nameRule')}
        errorText={nameIssue === undefined ? undefined : t(`documents.new.name.${nameIssue}`)}
      >
        <Input
          value={draft.name}
          autoComplete={false}
          spellcheck={false}
          onChange={({ detail }) => onChange({ name: detail.value })}
        />
      </FormField>
      <FormField label={t('documents.columns.description')} stretch>
        <Input
          value={draft.description}
          onChange={({ detail }) => onChange({ description: detail.value.slice(0, 500) })}
        />
      </FormField>
      <BesideFields value={draft} parameters={parameters} onChange={onChange} />
      <FormField label={t('documents.edit.note')} stretch>
        <Input
          value={draft.note}
          onChange={({ detail }) => onChange({ note: detail.value.slice(0, 500) })}
        />
      </FormField>
    </SpaceBetween>
  );
}
