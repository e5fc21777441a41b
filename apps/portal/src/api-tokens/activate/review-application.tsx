import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { API_TOKEN_DAYS } from '@deviceportal/contract/api-tokens';
import type { WaitingApplication } from '@deviceportal/contract/device-grant';
import { emptyRole, roleOf, type RoleDraft } from '../../access/roles/role-draft.ts';
import { useApi } from '../../api/use-api.ts';
import { labelProblems } from '../../devices/labels-text.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { fieldIssues, isOnlyFieldIssues } from '../../ui/field-issues.ts';
import { TokenBasics } from '../token-basics.tsx';
import { TokenGrantFields } from '../token-grant-fields.tsx';
import { useHeldPermissions } from '../use-held-permissions.ts';
import { ApplicationFacts } from './application-facts.tsx';

export interface ReviewApplicationProps {
  readonly code: string;
  readonly application: WaitingApplication;
  readonly onDecided: (decision: 'approved' | 'denied') => void;
}

/** Shows which application asks, and approves or denies its sign-in. */
export function ReviewApplication(props: ReviewApplicationProps): ReactNode {
  const { code, application, onDecided } = props;
  const t = useT();
  const api = useApi();
  const held = useHeldPermissions();
  const [draft, setDraft] = useState<RoleDraft>(() => ({
    ...emptyRole,
    name: application.clientId,
    permissions: held.filter((each) => application.permissions.includes(each)),
  }));
  const [days, setDays] = useState(String(Math.min(API_TOKEN_DAYS.usual, application.mostDays)));
  const [isOwn, setIsOwn] = useState(false);
  const approve = useMutation(
    api.apiTokens.approveApplication.mutationOptions({ onSuccess: () => onDecided('approved') }),
  );
  const deny = useMutation(
    api.apiTokens.denyApplication.mutationOptions({ onSuccess: () => onDecided('denied') }),
  );
  const change = (part: Partial<RoleDraft>): void => setDraft((old) => ({ ...old, ...part }));
  const isWhole =
    isOwn &&
    draft.name.trim() !== '' &&
    days !== '' &&
    draft.permissions.length > 0 &&
    labelProblems(draft.labels).every((problem) => problem === null);
  return (
    <Container header={<Header variant="h2">{t('apiTokens.activate.review')}</Header>}>
      <SpaceBetween size="l">
        <Alert type="warning" header={t('apiTokens.activate.warning')}>
          {t('apiTokens.activate.warningBody')}
        </Alert>
        <Box fontSize="display-l" fontWeight="bold">
          <span className="dp-id">{code}</span>
        </Box>
        <ApplicationFacts application={application} />
        <TokenBasics
          {...{ name: draft.name, days, mostDays: application.mostDays }}
          issues={fieldIssues(approve.error, t)}
          onName={(name) => change({ name })}
          onDays={setDays}
        />
        <TokenGrantFields draft={draft} onChange={change} />
        <Checkbox checked={isOwn} onChange={({ detail }) => setIsOwn(detail.checked)}>
          {t('apiTokens.activate.confirm', { code })}
        </Checkbox>
        <Problem error={approve.error ?? deny.error} />
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            variant="primary"
            loading={approve.isPending}
            disabled={!isWhole || deny.isPending}
            disabledReason={t('apiTokens.activate.notConfirmed')}
            onClick={() => {
              const { name, permissions, scope } = roleOf(draft);
              approve.mutate({ userCode: code, name, permissions, scope, days: Number(days) });
            }}
          >
            {t('apiTokens.activate.approve')}
          </Button>
          <Button
            loading={deny.isPending}
            disabled={approve.isPending}
            onClick={() => deny.mutate({ userCode: code })}
          >
            {t('apiTokens.activate.deny')}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </Container>
  );
}

/** What is not shown at a field. A code that has expired is not a value of this form. */
function Problem({ error }: { readonly error: unknown }): ReactNode {
  if (error === null || isOnlyFieldIssues(error, ['name', 'days'])) return null;
  return <ErrorView error={error} place="alert" />;
}
