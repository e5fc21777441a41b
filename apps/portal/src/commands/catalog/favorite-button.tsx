import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';

export interface FavouriteButtonProps {
  readonly form: Pick<CommandDefinition, 'command' | 'favourite'>;
  /** In a list: the star alone. */
  readonly compact?: boolean;
}

/** The star of a command: favourites come first in menus and in the catalogue. */
export function FavouriteButton({ form, compact = false }: FavouriteButtonProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const showError = useErrorFlash();
  const mutation = useMutation(
    api.commands.setFavourite.mutationOptions({
      onError: showError,
      onSuccess: () =>
        Promise.all([
          queryClient.invalidateQueries(api.commands.list.pathFilter()),
          queryClient.invalidateQueries(api.commands.getForm.pathFilter()),
        ]),
    }),
  );
  const favourite = mutation.isPending ? mutation.variables.favourite : form.favourite;
  const label = t(favourite ? 'commands.favourite.remove' : 'commands.favourite.add');
  const toggle = (): void => mutation.mutate({ command: form.command, favourite: !favourite });
  if (compact) {
    return (
      <Button
        variant="inline-icon"
        iconName={favourite ? 'star-filled' : 'star'}
        ariaLabel={t(favourite ? 'commands.favourite.removeNamed' : 'commands.favourite.addNamed', {
          command: form.command,
        })}
        onClick={toggle}
      />
    );
  }
  return (
    <Button iconName={favourite ? 'star-filled' : 'star'} onClick={toggle}>
      {label}
    </Button>
  );
}
