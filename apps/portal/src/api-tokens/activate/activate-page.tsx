import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { WaitingApplication } from '@deviceportal/contract/device-grant';
import { useT } from '../../i18n/use-t.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBreadcrumbs } from '../../ui/page-slots.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { ReviewApplication } from './review-application.tsx';
import { UserCodeForm } from './user-code-form.tsx';

export const Route = createLazyRoute('/activate')({ component: ActivatePage });

type Stage =
  | { readonly kind: 'enter' }
  | { readonly kind: 'review'; readonly code: string; readonly application: WaitingApplication }
  | { readonly kind: 'approved' | 'denied'; readonly name: string };

/** Approves the sign-in of an application by the code that it shows (RFC 8628). */
function ActivatePage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const { user_code: given } = Route.useSearch();
  const [stage, setStage] = useState<Stage>({ kind: 'enter' });
  const title = t('apiTokens.activate.title');
  useBreadcrumbs([{ text: title, href: '/activate' }]);
  if (!may('api-tokens:create')) return <NoAccess area={title} permission="api-tokens:create" />;
  return (
    <SpaceBetween size="l">
      <PageHeader title={title} description={t('apiTokens.activate.description')} />
      {stage.kind === 'enter' ? (
        <UserCodeForm
          key={given}
          given={given}
          onFound={(code, application) => setStage({ kind: 'review', code, application })}
        />
      ) : stage.kind === 'review' ? (
        <ReviewApplication
          code={stage.code}
          application={stage.application}
          onDecided={(kind) => setStage({ kind, name: stage.application.clientId })}
        />
      ) : (
        <Decided {...stage} onAgain={() => setStage({ kind: 'enter' })} />
      )}
    </SpaceBetween>
  );
}

function Decided({
  kind,
  name,
  onAgain,
}: {
  readonly kind: 'approved' | 'denied';
  readonly name: string;
  readonly onAgain: () => void;
}): ReactNode {
  const t = useT();
  return (
    <Alert
      type={kind === 'approved' ? 'success' : 'info'}
      header={t(`apiTokens.activate.${kind}`, { name })}
      action={<Button onClick={onAgain}>{t('apiTokens.activate.another')}</Button>}
    >
      {t(`apiTokens.activate.${kind}Body`)}{' '}
      <PortalLink href="/profile">{t('apiTokens.activate.ownTokens')}</PortalLink>
    </Alert>
  );
}
