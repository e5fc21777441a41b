import type { ReactNode } from 'react';
import {
  PUBLIC_API_PATH,
  type ApiTokenKind,
  type ApiTokenRow,
  type NewApiToken,
} from '@deviceportal/contract/api-tokens';
import { useT } from '../i18n/use-t.ts';
import { NewSecretDialog } from '../identity-provider/new-secret-dialog.tsx';
import { CreatePersonalTokenDialog } from './create-personal-token-dialog.tsx';
import { CreateServiceTokenDialog } from './create-service-token-dialog.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';

export type OpenTokenDialog =
  | { readonly act: 'create'; readonly kind: ApiTokenKind }
  | { readonly act: 'show'; readonly made: NewApiToken; readonly name: string }
  | { readonly act: 'revoke'; readonly token: ApiTokenRow };

/** The dialog that is open, if any. */
export function TokenDialogs({
  open,
  mostDays,
  onOpen,
  onDone,
}: {
  readonly open: OpenTokenDialog | undefined;
  readonly mostDays: number;
  readonly onOpen: (dialog: OpenTokenDialog | undefined) => void;
  /** After a change, with the words of its success. */
  readonly onDone: (words?: string) => void;
}): ReactNode {
  const t = useT();
  const close = (): void => onOpen(undefined);
  if (open === undefined) return null;
  if (open.act === 'revoke') {
    return <RevokeTokenDialog token={open.token} onDone={onDone} onClose={close} />;
  }
  if (open.act === 'show') {
    return (
      <NewSecretDialog
        made={{
          title: t('apiTokens.tokenOf', { name: open.name }),
          idLabel: t('apiTokens.address'),
          id: `${location.origin}${PUBLIC_API_PATH}`,
          secretLabel: t('apiTokens.token'),
          secret: open.made.token,
        }}
        onClose={close}
      />
    );
  }
  const made = (token: NewApiToken, name: string): void => {
    onDone();
    onOpen({ act: 'show', made: token, name });
  };
  const Dialog = open.kind === 'personal' ? CreatePersonalTokenDialog : CreateServiceTokenDialog;
  return <Dialog mostDays={mostDays} onMade={made} onClose={close} />;
}
