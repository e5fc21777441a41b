import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useState, type ReactNode } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import { ConsequenceBadge } from '../../commands/consequence-badge.tsx';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { DocumentPicker } from '../../commands/form/document-picker.tsx';
import type { FieldValue } from '../../commands/form/form-model.ts';
import { NotRunnable } from '../../commands/form/not-runnable.tsx';
import { ParameterFields } from '../../commands/form/parameter-fields.tsx';
import { parameterTitle } from '../../commands/form/parameter-words.ts';
import { UseLastValues } from '../../commands/form/use-last-values.tsx';
import { useCommandWords } from '../../commands/use-command-words.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { PlanVersion } from './plan-version.tsx';
import { parameterFieldsOf, type Plan } from './use-plan.ts';

export interface PlanChangeProps {
  readonly plan: Plan;
  /** Secret parameters that need not be entered again. */
  readonly keepsSecrets: readonly string[];
}

/** The change: a document with parameters, or a version of a component. */
export function PlanChange({ plan, keepsSecrets }: PlanChangeProps): ReactNode {
  const t = useT();
  const { fields, change, form } = plan;
  return (
    <Container header={<Header variant="h2">{t('airBlast.change')}</Header>}>
      <SpaceBetween size="m">
        <SegmentedControl
          label={t('airBlast.change')}
          selectedId={fields.kind}
          options={[
            { id: 'document', text: t('airBlast.document') },
            { id: 'version', text: t('airBlast.version') },
          ]}
          onChange={({ detail }) =>
            change({ kind: detail.selectedId === 'version' ? 'version' : 'document' })
          }
        />
        {fields.kind === 'version' ? (
          <PlanVersion plan={plan} />
        ) : (
          <DocumentChange plan={plan} keepsSecrets={keepsSecrets} />
        )}
        {form.isError ? <ErrorView error={form.error} place="alert" /> : null}
      </SpaceBetween>
    </Container>
  );
}

function DocumentChange({ plan, keepsSecrets }: PlanChangeProps): ReactNode {
  const t = useT();
  const { fields, change, form, pressed } = plan;
  return (
    <SpaceBetween size="m">
      <FormField
        errorText={pressed > 0 && fields.document === '' ? t('airBlast.issue.document') : undefined}
        stretch
      >
        <DocumentPicker
          reference={fields.document}
          onPick={(document) => change({ document, given: {}, edited: {} })}
        />
      </FormField>
      {fields.document !== '' && form.isLoading ? <Spinner /> : null}
      {form.data === undefined ? null : (
        <SpaceBetween size="m">
          <DocumentFacts form={form.data} />
          <Parameters plan={plan} form={form.data} keepsSecrets={keepsSecrets} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}

function DocumentFacts({ form }: { readonly form: CommandForm }): ReactNode {
  const t = useT();
  const format = useFormat();
  const words = useCommandWords();
  const { documentName, documentVersion: version } = form;
  const name = documentName ?? '';
  return (
    <SpaceBetween size="xs">
      <div className="dp-command-chip">
        <PortalLink href={`/documents/${name}?v=${version}`}>{name}</PortalLink>
        <span>{t('commands.document.version', { version })}</span>
        <ConsequenceBadge consequence={form.consequence} />
        <Box variant="span" color="text-body-secondary">
          {form.typicalDurationMs === null
            ? t('commands.document.noHistory')
            : t('commands.document.typical', { duration: format.duration(form.typicalDurationMs) })}
        </Box>
      </div>
      <Box>{words.document({ name, description: form.description })}</Box>
      <NotRunnable form={form} />
    </SpaceBetween>
  );
}

function Parameters({
  plan,
  form,
  keepsSecrets,
}: PlanChangeProps & { readonly form: CommandForm }): ReactNode {
  const t = useT();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { fields, change, issues, pressed } = plan;
  const shown = parameterFieldsOf(form, fields);
  const issueOf = (name: string): string | undefined => {
    const own = pressed > 0 || left.has(name) ? issues.parameters.get(name) : undefined;
    const issue = own ?? issues.refused.get(name);
    return issue === undefined ? undefined : issueText(issue, t);
  };
  const onField = (name: string, value: FieldValue): void =>
    change({ edited: { ...fields.edited, [name]: value } });
  if (Object.keys(form.parameters).length === 0) {
    return <Box color="text-body-secondary">{t('commands.form.noParameters')}</Box>;
  }
  return (
    <SpaceBetween size="m">
      <Header variant="h3" actions={<UseLastValues form={form} fields={shown} onField={onField} />}>
        {t('airBlast.parameters')}
      </Header>
      {keepsSecrets.length === 0 ? null : (
        <Box color="text-body-secondary">
          {t('airBlast.secretsKept', {
            names: keepsSecrets
              .map((name) => parameterTitle(form.documentName, name, t))
              .join(', '),
          })}
        </Box>
      )}
      <ParameterFields
        form={form}
        fields={shown}
        issueOf={issueOf}
        onField={onField}
        onLeave={(name) => setLeft((old) => new Set(old).add(name))}
      />
    </SpaceBetween>
  );
}
