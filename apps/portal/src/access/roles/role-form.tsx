import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { fieldIssues } from '../../ui/field-issues.ts';
import { labelProblems } from '../../devices/labels-text.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { GrantPreview } from './grant-preview.tsx';
import { PermissionPicker } from './permission-picker.tsx';
import { scopeOf, type RoleDraft } from './role-draft.ts';
import { ScopeFields } from './scope-fields.tsx';

export interface RoleFormProps {
  readonly header: ReactNode;
  readonly start: RoleDraft;
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly error: unknown;
  /** Shows the effect of the change above the buttons. */
  readonly summary?: (draft: RoleDraft) => ReactNode;
  readonly onSubmit: (draft: RoleDraft) => void;
  readonly onCancel: () => void;
}

/**
 * A form for the name, permissions, and scope of a role, with a preview of the resulting access.
 */
export function RoleForm(props: RoleFormProps): ReactNode {
  const { header, start, submitLabel, busy, error, summary, onSubmit, onCancel } = props;
  const t = useT();
  const [draft, setDraft] = useState(start);
  const change = (part: Partial<RoleDraft>): void => setDraft((old) => ({ ...old, ...part }));
  const isWhole =
    draft.name.trim() !== '' && labelProblems(draft.labels).every((problem) => problem === null);
  return (
    <Form
      header={header}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onCancel} disabled={busy}>
            {t('app.cancel')}
          </Button>
          <Button
            variant="primary"
            loading={busy}
            disabled={!isWhole}
            {...(isWhole ? {} : { disabledReason: t('access.form.incomplete') })}
            onClick={() => onSubmit(draft)}
          >
            {submitLabel}
          </Button>
        </SpaceBetween>
      }
    >
      <SpaceBetween size="l">
        <Container>
          <NameFields draft={draft} error={error} onChange={change} />
        </Container>
        <Container header={<Header variant="h2">{t('access.role.permissions')}</Header>}>
          <PermissionPicker
            chosen={draft.permissions}
            onChange={(permissions) => change({ permissions })}
          />
        </Container>
        <Container
          header={
            <Header variant="h2" description={t('access.form.scopeHint')}>
              {t('access.column.scope')}
            </Header>
          }
        >
          <ScopeFields draft={draft} onChange={change} />
        </Container>
        <GrantPreview grant={{ permissions: draft.permissions, scope: scopeOf(draft) }} />
        {summary?.(draft)}
        <FormError error={error} />
      </SpaceBetween>
    </Form>
  );
}

function NameFields({
  draft,
  error,
  onChange,
}: {
  readonly draft: RoleDraft;
  readonly error: unknown;
  readonly onChange: (part: Partial<RoleDraft>) => void;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <FormField label={t('access.form.name')} errorText={nameProblem(error, t)}>
        <Input
          value={draft.name}
          autoComplete={false}
          onChange={({ detail }) => onChange({ name: detail.value.slice(0, 64) })}
        />
      </FormField>
      <FormField label={t('access.column.about')} stretch>
        <Input
          value={draft.description}
          onChange={({ detail }) => onChange({ description: detail.value.slice(0, 500) })}
        />
      </FormField>
    </SpaceBetween>
  );
}

/**
 * A name that is already in use (7000) is reported at the name, with a link to the role that has
 * it.
 */
function nameProblem(error: unknown, t: Translate): ReactNode {
  if (error === null || error === undefined) return null;
  const { name, facts } = portalErrorOf(error);
  if (name !== 'roleAlreadyExists') return fieldIssues(error, t).get('name') ?? null;
  return (
    <>
      {t('access.form.taken', { name: String(facts['name'] ?? '') })}{' '}
      <PortalLink href={`/uam/roles/${String(facts['roleId'] ?? '')}`}>
        {t('access.form.openTaken')}
      </PortalLink>
    </>
  );
}

function FormError({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  if (error === null || error === undefined) return null;
  const { name } = portalErrorOf(error);
  if (name === 'roleAlreadyExists') return null;
  const issues = fieldIssues(error, t);
  if (issues.has('basedOn')) return <Alert type="warning">{t('access.form.changed')}</Alert>;
  return <ErrorView error={error} place="alert" />;
}
