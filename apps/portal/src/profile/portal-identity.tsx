import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import { roleName } from '../access/roles/role-words.ts';
import { useT } from '../i18n/use-t.ts';
import { KeyValue } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';
import { useViewer } from '../session/viewer-context.tsx';

/** The user as stored in the portal, for every provider. */
export function PortalIdentity(): ReactNode {
  const t = useT();
  const { detail } = useViewer();
  return (
    <Container
      header={
        <Header variant="h2" description={t('profile.identity.hint')}>
          {t('profile.identity.title')}
        </Header>
      }
    >
      <KeyValue
        columns={4}
        hasLongValues
        items={[
          { label: t('profile.identity.name'), value: detail.displayName },
          { label: t('profile.identity.username'), value: detail.username },
          { label: t('profile.identity.email'), value: detail.email },
          {
            label: t('profile.identity.roles'),
            value: detail.roles.map((role) => roleName(role, t)).join(', '),
          },
          {
            label: t('profile.identity.sessionEnds'),
            value: <Time at={detail.endsAt} style="absolute" />,
          },
        ]}
      />
    </Container>
  );
}
