import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  formatUserCode,
  readUserCode,
  USER_CODE_LENGTH,
  type WaitingApplication,
} from '@deviceportal/contract/device-grant';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { fieldIssues, isOnlyFieldIssues } from '../../ui/field-issues.ts';
import { useFirstFocus } from '../../ui/use-first-focus.ts';

/** The code of an application. A code from a link is not sent before the user confirms it. */
export function UserCodeForm({
  given,
  onFound,
}: {
  readonly given: string;
  readonly onFound: (code: string, application: WaitingApplication) => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const form = useFirstFocus<HTMLFormElement>();
  const [code, setCode] = useState(() => formatUserCode(readUserCode(given)));
  const find = useMutation(
    api.apiTokens.findApplication.mutationOptions({
      onSuccess: (application) => onFound(code, application),
    }),
  );
  const isWhole = readUserCode(code).length === USER_CODE_LENGTH;
  const submit = (): void => {
    if (isWhole && !find.isPending) find.mutate({ userCode: code });
  };
  const showsError = find.error !== null && !isOnlyFieldIssues(find.error, ['userCode']);
  return (
    <Container>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SpaceBetween size="m">
          <FormField
            label={t('apiTokens.activate.code')}
            description={t('apiTokens.activate.codeHint')}
            errorText={fieldIssues(find.error, t).get('userCode')}
          >
            <Input
              value={code}
              autoComplete={false}
              spellcheck={false}
              placeholder="WDJB-MJHT"
              onChange={({ detail }) => setCode(formatUserCode(readUserCode(detail.value)))}
            />
          </FormField>
          {showsError ? <ErrorView error={find.error} place="alert" /> : null}
          <Button
            variant="primary"
            formAction="none"
            loading={find.isPending}
            disabled={!isWhole}
            disabledReason={t('apiTokens.activate.incomplete')}
            onClick={submit}
          >
            {t('apiTokens.activate.continue')}
          </Button>
        </SpaceBetween>
        {/* Enter in a field submits only if the form has its own submit button. */}
        <input type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Container>
  );
}
