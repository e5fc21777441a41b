import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { KeyValue } from '../../ui/key-value.tsx';

/** What to enter in Entra ID and Okta. */
export function DirectoryValues({ url }: { readonly url: string }): ReactNode {
  const t = useT();
  return (
    <Container
      header={
        <Header variant="h2" description={t('access.directory.valuesHint')}>
          {t('access.directory.values')}
        </Header>
      }
    >
      <KeyValue
        columns={2}
        hasLongValues
        items={[
          {
            label: t('access.directory.url'),
            value: <CopyableId value={url} name={t('access.directory.url')} />,
          },
          { label: t('access.directory.token'), value: t('access.directory.tokenWhere') },
          { label: 'Microsoft Entra ID', value: t('access.directory.entra') },
          { label: 'Okta', value: t('access.directory.okta') },
        ]}
      />
    </Container>
  );
}
