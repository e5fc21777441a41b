import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

export interface DirectoryFormProps {
  readonly onLogin: (login: {
    readonly username: string;
    readonly password: string;
  }) => Promise<void>;
}

/** The username and password for a directory. The password is cleared after each attempt. */
export function DirectoryForm({ onLogin }: DirectoryFormProps): ReactNode {
  const t = useT();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    if (busy || username === '' || password === '') return;
    setBusy(true);
    await onLogin({ username, password });
    setPassword('');
    setBusy(false);
  };
  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="si-field">
        <label htmlFor="directory-name">{t('signIn.directory.name')}</label>
        <input
          id="directory-name"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
      </div>
      <div className="si-field">
        <label htmlFor="directory-password">{t('signIn.directory.password')}</label>
        <input
          id="directory-password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </div>
      <button
        className="si-primary"
        type="submit"
        aria-busy={busy}
        disabled={username === '' || password === ''}
      >
        {t(busy ? 'signIn.code.checking' : 'signIn.code.signIn')}
      </button>
    </form>
  );
}
