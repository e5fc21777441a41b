import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { portalErrorOf } from '../api/portal-error-of.ts';
import { useT } from '../i18n/use-t.ts';
import { errorTexts } from '../ui/error-reaction/error-texts.ts';
import { useFirstFocus } from '../ui/use-first-focus.ts';

const DIGITS = 6;

export interface CodeFormProps {
  readonly label: string;
  readonly description?: string;
  readonly error: unknown;
  readonly busy: boolean;
  /** Rejects for a wrong code. */
  readonly onCode: (code: string) => Promise<unknown>;
  /** Next to the button that confirms. */
  readonly actions?: ReactNode;
}

/** A field for six digits, which are submitted when complete and cleared if wrong. */
export function CodeForm(props: CodeFormProps): ReactNode {
  const { label, description, error, busy, onCode, actions } = props;
  const t = useT();
  const form = useFirstFocus<HTMLFormElement>();
  const [code, setCode] = useState('');
  const submit = (digits: string): void => {
    if (digits.length === DIGITS && !busy) void onCode(digits).catch(() => setCode(''));
  };
  const texts = error === null ? undefined : errorTexts(portalErrorOf(error), t);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit(code);
      }}
    >
      <SpaceBetween size="s">
        <FormField
          label={label}
          description={description}
          errorText={texts && `${texts.title} ${texts.body}`.trim()}
          stretch
        >
          <Input
            value={code}
            inputMode="numeric"
            autoComplete="one-time-code"
            readOnly={busy}
            onChange={({ detail }) => {
              const digits = detail.value.normalize('NFKC').replaceAll(/\D/g, '').slice(0, DIGITS);
              setCode(digits);
              submit(digits);
            }}
          />
        </FormField>
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            variant="primary"
            formAction="submit"
            loading={busy}
            disabled={code.length !== DIGITS && !busy}
          >
            {t('stepUp.confirm')}
          </Button>
          {actions}
        </SpaceBetween>
      </SpaceBetween>
    </form>
  );
}
