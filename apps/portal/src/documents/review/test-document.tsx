import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { testFaults, testModels } from '@deviceportal/contract/document-tests';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useApi, type ApiInputs } from '../../api/use-api.ts';
import {
  fieldIssuesOf,
  issuesByParameter,
  mergeFields,
  parametersOf,
  type FieldValues,
  type Parameters,
} from '../../commands/form/form-model.ts';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { ParameterField } from '../../commands/form/parameter-field.tsx';
import { parameterAbout, parameterTitle } from '../../commands/form/parameter-words.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { TestResult } from './test-result.tsx';

export interface TestDocumentProps {
  readonly name: string;
  /** Null for the current text of the editor. */
  readonly version: number | null;
  readonly content: string;
  readonly phasesText: string;
  readonly parameters: Parameters;
  readonly hasUndo: boolean;
  /** The reason for which a test is disabled. */
  readonly disabledReason?: string | undefined;
}

/**
 * Tests a document on a simulated device: choice of the device and its condition, and the result.
 */
export function TestDocument(props: TestDocumentProps): ReactNode {
  const t = useT();
  const documentTest = useDocumentTest(props);
  const { model, fault, undo, change } = documentTest;
  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header variant="h2" description={t('documents.test.about')}>
            {t('documents.test.title')}
          </Header>
        }
      >
        <SpaceBetween size="m">
          <ColumnLayout columns={2}>
            <FormField label={t('documents.test.model')}>
              <Select
                options={testModels.map((value) => ({ value }))}
                selectedOption={{ value: model }}
                onChange={({ detail }) => change({ model: detail.selectedOption.value as Model })}
              />
            </FormField>
            <FormField label={t('documents.test.fault')}>
              <Select
                options={[null, ...testFaults].map((one) => faultOption(one, t))}
                selectedOption={faultOption(fault, t)}
                onChange={({ detail }) => {
                  const { value } = detail.selectedOption;
                  change({ fault: testFaults.find((one) => one === value) ?? null });
                }}
              />
            </FormField>
          </ColumnLayout>
          {Object.entries(props.parameters).map(([name, parameter]) => (
            <ParameterField
              key={name}
              name={name}
              title={parameterTitle(props.version === null ? null : props.name, name, t)}
              parameter={parameter}
              about={parameterAbout(
                props.version === null ? null : props.name,
                [name, parameter],
                t,
              )}
              value={documentTest.fields[name] ?? ''}
              secret={false}
              error={documentTest.issueOf(name)}
              onChange={(value) => documentTest.edit(name, value)}
              onLeave={() => undefined}
            />
          ))}
          {props.hasUndo ? (
            <Checkbox checked={undo} onChange={({ detail }) => change({ undo: detail.checked })}>
              {t('documents.test.undo')}
            </Checkbox>
          ) : null}
          <Button
            variant="primary"
            loading={documentTest.busy}
            disabled={documentTest.reason !== undefined}
            {...(documentTest.reason === undefined ? {} : { disabledReason: documentTest.reason })}
            onClick={documentTest.start}
          >
            {t('documents.test.start')}
          </Button>
        </SpaceBetween>
      </Container>
      {documentTest.error === null ? null : <DocumentTestError error={documentTest.error} />}
      {documentTest.result === undefined ? null : (
        <TestResult key={documentTest.count} documentTest={documentTest.result} />
      )}
    </SpaceBetween>
  );
}

type Input = ApiInputs['documents']['test'];
type Model = Input['model'];
type Fault = NonNullable<Input['fault']>;

function faultOption(fault: Fault | null, t: ReturnType<typeof useT>) {
  const label = fault === null ? t('documents.test.healthy') : t(`documents.test.faults.${fault}`);
  return { value: fault ?? '', label };
}

function useDocumentTest(props: TestDocumentProps) {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const [choice, setChoice] = useState<{ model: Model; fault: Fault | null; undo: boolean }>({
    model: 'K200',
    fault: null,
    undo: false,
  });
  const [edited, setEdited] = useState<FieldValues>({});
  const [pressed, setPressed] = useState(false);
  const [count, setCount] = useState(0);
  const mutation = useMutation(
    api.documents.test.mutationOptions({ onSuccess: () => setCount((old) => old + 1) }),
  );
  const { name, version, content, phasesText, parameters, disabledReason } = props;
  const fields = mergeFields(parameters, edited);
  const issues = fieldIssuesOf(parameters, fields);
  const refused =
    mutation.error === null ? undefined : issuesByParameter(portalErrorOf(mutation.error).issues);
  return {
    ...choice,
    change: (part: Partial<typeof choice>) => setChoice((old) => ({ ...old, ...part })),
    fields,
    edit: (field: string, value: FieldValues[string]) =>
      setEdited((old) => ({ ...old, [field]: value })),
    issueOf: (field: string): string | undefined => {
      const issue = (pressed ? issues.get(field) : undefined) ?? refused?.get(field);
      return issue === undefined ? undefined : issueText(issue, t);
    },
    count,
    result: mutation.data,
    error: mutation.error,
    busy: mutation.isPending,
    reason: may('documents:manage')
      ? disabledReason
      : t('app.needsPermission', { permission: 'documents:manage' }),
    start: () => {
      setPressed(true);
      if (issues.size > 0 || mutation.isPending) return;
      const values = parametersOf(parameters, fields);
      mutation.mutate({ name, version, content, phasesText, parameters: values, ...choice });
    },
  };
}

function DocumentTestError({ error }: { readonly error: unknown }): ReactNode {
  const { issues, message } = portalErrorOf(error);
  if (issues.length === 0) return <ErrorView error={error} place="alert" />;
  return <Alert type="error">{message}</Alert>;
}
