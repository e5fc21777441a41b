import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { Person } from '@deviceportal/contract/people';
import { OpenCaseButton } from '../cases/open-case-button.tsx';
import { useT } from '../i18n/use-t.ts';
import { PersonalDataMenu } from './personal-data-menu.tsx';
import { followWithRouter } from '../ui/follow-with-router.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { useViewer } from '../session/viewer-context.tsx';

/** The name of the person, with buttons to open a case and to create a report. */
export function PersonHeader({ person }: { readonly person: Person }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return (
    <PageHeader
      title={person.name}
      documentTitle={`${person.name} · ${t('app.nav.people')}`}
      description={[person.phone, person.email].filter(Boolean).join(' · ')}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          {may('reports:create') ? (
            <Button href={`/reports/user-report?person=${person.id}`} onFollow={followWithRouter}>
              {t('app.nav.userReport')}
            </Button>
          ) : null}
          <PersonalDataMenu person={{ kind: 'customer', id: person.id }} />
          <OpenCaseButton person={person} variant="primary" />
        </SpaceBetween>
      }
    />
  );
}
