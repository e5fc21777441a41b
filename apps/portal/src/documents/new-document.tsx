import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { consequences, type Consequence } from '@deviceportal/contract/permissions';
import { useApi } from '../api/use-api.ts';
import { portalErrorOf } from '../api/portal-error-of.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { navigateTo } from '../shell/navigate-to.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useBreadcrumbs } from '../shell/page-slots.tsx';
import { ContentEditor } from './content-editor.tsx';
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

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly consequence: Consequence;
  readonly secretParameters: readonly string[];
  readonly content: string;
  readonly note: string;
}

const emptyDraft: Draft = {
  name: '',
  description: '',
  consequence: 'reads',
  secretParameters: [],
  content: template,
  note: '',
};

/** A document's first version, and what stands beside its text. */
export function NewDocument({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [pressed, setPressed] = useState(false);
  const validation = useDocumentValidation(draft.content);
  useBreadcrumbs([
    { text: t('shell.nav.documents'), href: '/documents' },
    { text: t('documents.new.title'), href: '/documents?create=true' },
  ]);
  const create = useMutation(
    api.documents.create.mutationOptions({
      onSuccess: (document) => {
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
            {t('shell.cancel')}
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
          />
        </Container>
        {create.isError ? <CreateError error={create.error} /> : null}
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
    const taken = portalErrorOf(error).issues.some((issue) => issue.path[0] === 'name');
    if (taken) return 'taken';
  }
  return (pressed || name !== '') && !NAME.test(name) ? 'format' : undefined;
}

function CreateError({ error }: { readonly error: unknown }): ReactNode {
  const { issues } = portalErrorOf(error);
  return (
    <SpaceBetween size="s">
      <ErrorView error={error} place="alert" />
      {issues.length === 0 ? null : (
        <ul>
          {issues.map((issue) => (
            <li key={issue.path.join('.')}>
              {issue.path.join(':')}: {issue.message}
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
        constraintText={t('documents.new.nameRule')}
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
      <FormField
        label={t('documents.columns.consequence')}
        description={t('documents.new.consequenceHint')}
      >
        <RadioGroup
          value={draft.consequence}
          items={consequences.map((value) => ({
            value,
            label: t(`commands.consequence.${value}`),
            description: t(`commands.effect.${value}`),
          }))}
          onChange={({ detail }) => onChange({ consequence: detail.value as Consequence })}
        />
      </FormField>
      <FormField label={t('documents.new.secrets')} description={t('documents.new.secretsHint')}>
        <Multiselect
          options={parameters.map((value) => ({ value }))}
          selectedOptions={draft.secretParameters.map((value) => ({ value }))}
          placeholder={t('documents.new.secretsChoose')}
          empty={t('documents.parameters.none')}
          onChange={({ detail }) =>
            onChange({ secretParameters: detail.selectedOptions.map(({ value = '' }) => value) })
          }
        />
      </FormField>
      <FormField label={t('documents.edit.note')} stretch>
        <Input
          value={draft.note}
          onChange={({ detail }) => onChange({ note: detail.value.slice(0, 500) })}
        />
      </FormField>
    </SpaceBetween>
  );
}
