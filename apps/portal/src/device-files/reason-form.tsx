import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { GuideLink } from '../help/guide-link.tsx';
import { useT } from '../i18n/use-t.ts';
import { rememberReason } from './files-store.ts';

const MOST_CHARACTERS = 500;
const SHORTEST = 3;

/** Why the user needs the files. Part of the audit event of every folder and file. */
export function ReasonForm({ deviceId }: { readonly deviceId: string }): ReactNode {
  const t = useT();
  const [reason, setReason] = useState('');
  const isReady = reason.trim().length >= SHORTEST;
  return (
    <Container header={<Header variant="h2">{t('deviceFiles.title')}</Header>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) rememberReason(deviceId, reason.trim());
        }}
      >
        <SpaceBetween size="m">
          <Alert type="warning">
            {t('deviceFiles.notRedacted')} <GuideLink name="device-files" />
          </Alert>
          <FormField label={t('deviceFiles.reason')} description={t('deviceFiles.reasonHelp')}>
            <Input
              value={reason}
              onChange={({ detail }) => setReason(detail.value.slice(0, MOST_CHARACTERS))}
            />
          </FormField>
          <Button
            variant="primary"
            formAction="submit"
            disabled={!isReady}
            disabledReason={t('app.form.incomplete')}
          >
            {t('deviceFiles.show')}
          </Button>
        </SpaceBetween>
      </form>
    </Container>
  );
}
