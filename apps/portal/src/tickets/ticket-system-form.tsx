import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import {
  ticketSystemKinds,
  type TicketSystem,
  type TicketSystemKind,
} from '@deviceportal/contract/ticket-systems';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { draftOf, settingsOf, type TicketDraft } from './ticket-draft.ts';
import { useTicketSystem } from './use-ticket-system.ts';

const shares = ['nothing', 'redacted-texts', 'personal-data'] as const;
const fieldsOf = {
  jira: ['project', 'issueType', 'closing'],
  servicenow: ['table', 'resolvedState', 'closeCode'],
} as const;

/** Address, account, and what is sent. */
export function TicketSystemForm({ stored }: { readonly stored: TicketSystem | null }): ReactNode {
  const t = useT();
  const [draft, setDraft] = useState(() => draftOf(stored));
  const actions = useTicketSystem();
  const { save, test } = actions;
  const change = (more: Partial<TicketDraft>): void => setDraft((old) => ({ ...old, ...more }));
  const field = (name: (typeof fieldsOf)[TicketSystemKind][number]): ReactNode => (
    <FormField key={name} label={t(`tickets.${name}`)}>
      <Input value={draft[name]} onChange={({ detail }) => change({ [name]: detail.value })} />
    </FormField>
  );
  return (
    <Container>
      <SpaceBetween size="m">
        {stored === null ? null : (
          <Box>{t('tickets.counts', { waiting: stored.waiting, failed: stored.failed })}</Box>
        )}
        <FormField label={t('tickets.system')}>
          <SegmentedControl
            selectedId={draft.kind}
            label={t('tickets.system')}
            options={ticketSystemKinds.map((id) => ({ id, text: t(`tickets.kind.${id}`) }))}
            onChange={({ detail }) => change({ kind: detail.selectedId as TicketSystemKind })}
          />
        </FormField>
        <FormField label={t('tickets.url')} description={t('tickets.urlHelp')}>
          <Input
            type="url"
            value={draft.url}
            onChange={({ detail }) => change({ url: detail.value })}
          />
        </FormField>
        <FormField label={t('tickets.account')} description={t(`tickets.account.${draft.kind}`)}>
          <Input
            value={draft.account}
            onChange={({ detail }) => change({ account: detail.value })}
          />
        </FormField>
        <FormField
          label={t(`tickets.secret.${draft.kind}`)}
          description={stored && t('tickets.secretStored', { end: stored.secretEnd })}
        >
          <Input
            type="password"
            autoComplete={false}
            value={draft.secret}
            onChange={({ detail }) => change({ secret: detail.value })}
          />
        </FormField>
        {fieldsOf[draft.kind].map(field)}
        <FormField label={t('tickets.shares')}>
          <RadioGroup
            value={draft.shares}
            items={shares.map((value) => ({ value, label: t(`tickets.shares.${value}`) }))}
            onChange={({ detail }) => change({ shares: detail.value as TicketDraft['shares'] })}
          />
        </FormField>
        {save.error === null ? null : <ErrorView error={save.error} place="alert" />}
        <TestResult test={test} />
        <FormActions
          isStored={stored !== null}
          actions={actions}
          onSave={() => actions.save.mutate(settingsOf(draft))}
        />
      </SpaceBetween>
    </Container>
  );
}

function FormActions({
  isStored,
  actions: { save, test, remove },
  onSave,
}: {
  readonly isStored: boolean;
  readonly actions: ReturnType<typeof useTicketSystem>;
  readonly onSave: () => void;
}): ReactNode {
  const t = useT();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        <Button variant="primary" loading={save.isPending} onClick={onSave}>
          {t('tickets.save')}
        </Button>
        {isStored ? (
          <Button loading={test.isPending} onClick={() => test.mutate()}>
            {t('tickets.test')}
          </Button>
        ) : null}
        {isStored ? <Button onClick={() => setRemoving(true)}>{t('tickets.remove')}</Button> : null}
      </SpaceBetween>
      {isRemoving ? (
        <ConfirmDialog
          title={t('tickets.remove.title')}
          confirmLabel={t('tickets.remove')}
          busy={remove.isPending}
          error={remove.error === null ? null : <ErrorView error={remove.error} place="alert" />}
          onConfirm={() => remove.mutate()}
          onCancel={() => setRemoving(false)}
        >
          {t('tickets.remove.effect')}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function TestResult({
  test,
}: {
  readonly test: ReturnType<typeof useTicketSystem>['test'];
}): ReactNode {
  const t = useT();
  if (test.error !== null) return <ErrorView error={test.error} place="alert" />;
  if (test.data === undefined) return null;
  return test.data.ok ? (
    <Alert type="success">{t('tickets.tested')}</Alert>
  ) : (
    <Alert type="error">{t('tickets.testFailed', { error: test.data.error ?? '' })}</Alert>
  );
}
