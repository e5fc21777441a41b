import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';

export interface FavoriteButtonProps {
  readonly form: Pick<CommandDefinition, 'command' | 'favorite'>;
  /** Icon only, for lists. */
  readonly compact?: boolean;
}

/** Marks a command as a favorite, which comes first in menus and in the catalog. */
export function FavoriteButton({ form, compact = false }: FavoriteButtonProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const showError = useErrorFlash();
  const mutation = useMutation(
    api.commands.setFavorite.mutationOptions({
      onError: showError,
      onSuccess: () =>
        Promise.all([
          queryClient.invalidateQueries(api.commands.list.pathFilter()),
          queryClient.invalidateQueries(api.commands.getForm.pathFilter()),
        ]),
    }),
  );
  const favorite = mutation.isPending ? mutation.variables.favorite : form.favorite;
  const label = t(favorite ? 'commands.favorite.remove' : 'commands.favorite.add');
  const toggle = (): void => mutation.mutate({ command: form.command, favorite: !favorite });
  if (compact) {
    return (
      <Button
        variant="inline-icon"
        iconName={favorite ? 'star-filled' : 'star'}
        ariaLabel={t(favorite ? 'commands.favorite.removeNamed' : 'commands.favorite.addNamed', {
          command: form.command,
        })}
        onClick={toggle}
      />
    );
  }
  return (
    <Button iconName={favorite ? 'star-filled' : 'star'} onClick={toggle}>
      {label}
    </Button>
  );
}
