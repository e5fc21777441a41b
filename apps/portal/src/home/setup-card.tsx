import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { InstallationSetup } from '@deviceportal/contract/installation';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { updatePreferences } from '../ui/preferences-store.ts';
import { setupSteps, type SetupStep } from './setup-steps.ts';

/** The steps of setting up the installation, each with the page on which it is done. */
export function SetupCard({ setup }: { readonly setup: InstallationSetup }): ReactNode {
  const t = useT();
  const steps = setupSteps(setup);
  const done = steps.filter((step) => step.isDone).length;
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={`(${done}/${steps.length})`}
          description={t('home.setup.description')}
          actions={
            <Button onClick={() => updatePreferences({ setupDismissed: true })}>
              {t('home.setup.dismiss')}
            </Button>
          }
        >
          {t('home.setup.title')}
        </Header>
      }
    >
      <ol className="home-setup">
        {steps.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
    </Container>
  );
}

function Step({ step: { id, isDone, href, guide } }: { readonly step: SetupStep }): ReactNode {
  const t = useT();
  return (
    <li>
      <StatusIndicator type={isDone ? 'success' : 'pending'}>
        {t(isDone ? 'home.setup.done' : 'home.setup.open')}
      </StatusIndicator>
      <div>
        <PortalLink href={href}>{t(`home.setup.${id}`)}</PortalLink>
        <div>
          {t(`home.setup.${id}.about`)}{' '}
          <PortalLink href={`/guides/${guide}`}>{t('home.setup.guide')}</PortalLink>
        </div>
      </div>
    </li>
  );
}
