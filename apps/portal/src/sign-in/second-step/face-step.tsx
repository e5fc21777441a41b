import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { StepField } from './step-field.tsx';
import type { StepProps } from './step-props.ts';
import { useAttempt } from './use-attempt.ts';

/** Takes a photo of the face, which is compared with the account’s photo or becomes that. */
export function FaceStep({ other, step, onUser }: StepProps): ReactNode {
  const t = useT();
  const attempt = useAttempt();
  const [photo, setPhoto] = useState<File | null>(null);
  const submit = (): Promise<boolean> =>
    attempt.run(async () => {
      if (photo === null) return;
      const { mfaToken } = step;
      const show = step.isSetUp ? other.associateFace : other.verifyFace;
      await onUser(await show(mfaToken, photo));
    });
  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="si-hint">
        {t(step.isSetUp ? 'signIn.second.faceSetUp' : 'signIn.second.faceHint')}
      </p>
      <StepField
        label={t('signIn.second.photo')}
        problem={attempt.problem}
        type="file"
        // docs/design/sign-in.md, section 5.
        accept=".jpeg,.jpg,.png,.bmp"
        capture="user"
        disabled={attempt.busy}
        onChange={({ target }) => setPhoto(target.files?.[0] ?? null)}
      />
      <button
        className="si-primary"
        type="submit"
        aria-busy={attempt.busy}
        disabled={photo === null}
      >
        {t(attempt.busy ? 'signIn.code.checking' : 'signIn.code.signIn')}
      </button>
    </form>
  );
}
